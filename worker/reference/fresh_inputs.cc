#include "worker/reference/fresh_inputs.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "common/array/element_type.h"
#include "common/array/half.h"
#include "common/base/file.h"
#include "worker/reference/fresh_values.h"
#include "worker/reference/index_inputs.h"
#include "worker/reference/original_region.h"
#include "worker/run/guarded_memory.h"

namespace tune {
namespace {

// There are several sets where the region takes less time, and its arrays are smaller and not too many: each
// file of an array is an open one of the judge.
constexpr int kSets = 3;
constexpr double kShortRegionSeconds = 0.05;
constexpr int64_t kSmallBytes = 64 << 20;
constexpr size_t kFewArrays = 100;

uint64_t UnknownSeed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

bool IsFinite(double value) { return std::isfinite(value); }
bool IsFinite(uint16_t half) { return std::isfinite(HalfValue(half)); }

template <typename T>
bool LosesFiniteValues(absl::string_view recorded, absl::string_view fresh) {
  for (size_t at = 0; at + sizeof(T) <= recorded.size(); at += sizeof(T)) {
    T before, after;
    std::memcpy(&before, recorded.data() + at, sizeof before);
    std::memcpy(&after, fresh.data() + at, sizeof after);
    if (IsFinite(before) && !IsFinite(after)) return true;
  }
  return false;
}

bool LosesFiniteValues(v1::ElementType type, absl::string_view recorded, absl::string_view fresh) {
  type = ComponentType(type);
  if (type == v1::ELEMENT_TYPE_FLOAT) return LosesFiniteValues<float>(recorded, fresh);
  if (type == v1::ELEMENT_TYPE_FLOAT16) return LosesFiniteValues<uint16_t>(recorded, fresh);
  return type == v1::ELEMENT_TYPE_DOUBLE && LosesFiniteValues<double>(recorded, fresh);
}

absl::string_view Bytes(const MappedFile& file) {
  return {static_cast<const char*>(file.data()), file.size()};
}

std::vector<int64_t> Extents(const v1::RunnerArray& array) {
  return {array.extents().begin(), array.extents().end()};
}

absl::StatusOr<MappedFile> Open(const v1::RunnerArray& array, const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(), Extents(array)));
  return MappedFile::Open(path, bytes);
}

// A folder for the inputs and outputs of one run.
struct RunFolder {
  std::string path;
  std::string Input(const v1::RunnerArray& array) const {
    return absl::StrCat(path, "/in/", array.name(), ".bin");
  }
  std::string Output(const v1::RunnerArray& array) const {
    return absl::StrCat(path, "/out/", array.name(), ".bin");
  }
  absl::Status Make() const {
    TUNE_RETURN_IF_ERROR(MakeFolder(path + "/in"));
    return MakeFolder(path + "/out");
  }
  void Remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

// Why there is no set.
struct Obstacle {
  std::string why;  // empty: there is one
  bool other_values_may_do = false;
};

// One making of them, in a folder that becomes the reference's when all is well.
class FreshInputs {
 public:
  FreshInputs(const FreshSource& source, ReferenceData* data)
      : source_(source), data_(data), folder_{data->folder + "/fresh.new"}, near_{data->folder + "/near"} {}

  // What they are left out for, or empty.
  absl::StatusOr<std::string> Make() {
    TUNE_ASSIGN_OR_RETURN(arrays_, RunnerArrays(*source_.arrays, *data_, /*compare_outputs=*/true));
    Obstacle obstacle;
    for (const FreshBytes& way : source_.ways) {
      TUNE_ASSIGN_OR_RETURN(obstacle, MakeSets(way));
      if (!obstacle.other_values_may_do) break;
    }
    if (!obstacle.why.empty()) return obstacle.why;
    std::error_code error;
    std::filesystem::rename(folder_.path, data_->folder + "/fresh", error);
    if (error) return absl::UnavailableError(absl::StrCat(folder_.path, ": ", error.message()));
    return std::string();
  }

  int sets() const { return sets_; }

  void Remove() const {
    folder_.Remove();
    near_.Remove();
  }

 private:
  bool IsSmall() const {
    return seconds_ < kShortRegionSeconds && bytes_ < kSmallBytes && arrays_.size() < kFewArrays;
  }

  absl::StatusOr<Obstacle> MakeSets(const FreshBytes& way) {
    Remove();
    sets_ = 0;
    do {
      const RunFolder set{absl::StrCat(folder_.path, "/", sets_)};
      TUNE_ASSIGN_OR_RETURN(const Obstacle obstacle, MakeSet(way, set));
      if (!obstacle.why.empty() && sets_ > 0 && obstacle.other_values_may_do) {  // there are others
        set.Remove();
        break;
      }
      if (!obstacle.why.empty()) return obstacle;
      ++sets_;
    } while (sets_ < kSets && IsSmall());
    return Obstacle();
  }

  absl::StatusOr<Obstacle> MakeSet(const FreshBytes& way, const RunFolder& set) {
    TUNE_ASSIGN_OR_RETURN(const bool changed, WriteInputs(way, set));
    if (!changed) return Obstacle{source_.nothing_changes};
    TUNE_ASSIGN_OR_RETURN(const std::string failure, RunProgram(set));
    if (!failure.empty()) return Obstacle{absl::StrCat(source_.what, ", failed: ", failure)};
    TUNE_ASSIGN_OR_RETURN(const bool finite, OutputsAreFinite(set));
    if (!finite) {
      return Obstacle{absl::StrCat(source_.what, ": outputs are not finite where recorded ones are"),
                      /*other_values_may_do=*/true};
    }
    TUNE_ASSIGN_OR_RETURN(const std::string unstable, UnstableOutput(set));
    if (unstable.empty()) return Obstacle();
    return Obstacle{
        absl::StrCat(source_.what, ": inputs that differ by a few roundings give other outputs: ", unstable),
        /*other_values_may_do=*/true};
  }

  // Whether one differs from the recorded one.
  absl::StatusOr<bool> WriteInputs(const FreshBytes& way, const RunFolder& set) {
    TUNE_RETURN_IF_ERROR(set.Make());
    const uint64_t seed = UnknownSeed();
    changed_.assign(arrays_.size(), false);
    bytes_ = 0;
    bool any = false;
    for (size_t i = 0; i < arrays_.size(); ++i) {
      if (arrays_[i].input_file().empty()) continue;
      TUNE_ASSIGN_OR_RETURN(const MappedFile recorded, Open(arrays_[i], arrays_[i].input_file()));
      TUNE_ASSIGN_OR_RETURN(const std::string fresh, way(static_cast<int>(i), Bytes(recorded), seed));
      changed_[i] = fresh != Bytes(recorded);
      any = any || changed_[i];
      bytes_ += static_cast<int64_t>(fresh.size());
      TUNE_RETURN_IF_ERROR(WriteFile(set.Input(arrays_[i]), fresh));
    }
    return any;
  }

  // The inputs of a set, but for a few roundings of what was changed.
  absl::Status WriteNearInputs(const RunFolder& set) {
    TUNE_RETURN_IF_ERROR(near_.Make());
    const uint64_t seed = UnknownSeed();
    for (size_t i = 0; i < arrays_.size(); ++i) {
      if (arrays_[i].input_file().empty()) continue;
      TUNE_ASSIGN_OR_RETURN(const MappedFile fresh, Open(arrays_[i], set.Input(arrays_[i])));
      const v1::ElementType type = changed_[i] ? arrays_[i].element_type() : v1::ELEMENT_TYPE_UNSPECIFIED;
      TUNE_RETURN_IF_ERROR(WriteFile(near_.Input(arrays_[i]), NearValues(type, Bytes(fresh), seed, i)));
    }
    return absl::OkStatus();
  }

  // What went wrong, or empty.
  absl::StatusOr<std::string> RunProgram(const RunFolder& folder) {
    RecordedRun run;
    run.folder = folder.path + "/out";
    run.only_record = true;
    for (const v1::RunnerArray& array : arrays_) {
      v1::RunnerArray& fresh = run.arrays.emplace_back(array);
      fresh.clear_expected_file();
      fresh.clear_fresh();
      if (!array.input_file().empty()) fresh.set_input_file(folder.Input(array));
    }
    TUNE_ASSIGN_OR_RETURN(const RunOutcome outcome, source_.program(run));
    const v1::RunnerVerdict& verdict = outcome.verdicts.at(0);
    if (verdict.outcome() == v1::CANCELLED) return absl::CancelledError("cancelled");
    seconds_ = verdict.first_seconds();
    return verdict.outcome() == v1::CORRECT ? std::string() : verdict.message();
  }

  absl::StatusOr<bool> OutputsAreFinite(const RunFolder& set) const {
    for (const v1::RunnerArray& array : arrays_) {
      if (array.expected_file().empty()) continue;
      TUNE_ASSIGN_OR_RETURN(const MappedFile recorded, Open(array, array.expected_file()));
      TUNE_ASSIGN_OR_RETURN(const MappedFile fresh, Open(array, set.Output(array)));
      if (LosesFiniteValues(array.element_type(), Bytes(recorded), Bytes(fresh))) return false;
    }
    return true;
  }

  // An output that near inputs take out of the tolerance, or empty.
  absl::StatusOr<std::string> UnstableOutput(const RunFolder& set) {
    TUNE_RETURN_IF_ERROR(WriteNearInputs(set));
    TUNE_ASSIGN_OR_RETURN(const std::string failure, RunProgram(near_));
    if (!failure.empty()) return failure;
    for (const v1::RunnerArray& array : arrays_) {
      if (array.expected_file().empty()) continue;
      TUNE_ASSIGN_OR_RETURN(const MappedFile expected, Open(array, set.Output(array)));
      TUNE_ASSIGN_OR_RETURN(const MappedFile found, Open(array, near_.Output(array)));
      const v1::ArrayError error =
          CompareArray(array.name(), array.element_type(), Extents(array), expected.data(), found.data(),
                       source_.tolerance, RuleOf(array));
      if (error.exceeded()) return DescribeError(error);
    }
    return std::string();
  }

  const FreshSource& source_;
  ReferenceData* const data_;
  const RunFolder folder_;  // with a RunFolder of each set
  const RunFolder near_;    // what tells whether a set is stable
  std::vector<v1::RunnerArray> arrays_;
  std::vector<bool> changed_;  // whether the inputs of the last set differ from recorded ones; as arrays_
  int sets_ = 0;
  double seconds_ = 0;  // that the last run took
  int64_t bytes_ = 0;   // of the last set
};

}  // namespace

absl::StatusOr<std::string> MakeFreshSets(const FreshSource& source, ReferenceData* data) {
  FreshInputs inputs(source, data);
  absl::StatusOr<std::string> obstacle = inputs.Make();
  inputs.Remove();
  if (obstacle.ok() && obstacle->empty()) data->fresh_sets = inputs.sets();
  return obstacle;
}

void TellNoFreshInputs(absl::string_view why, std::string* log) {
  absl::StrAppend(log, "candidates will not be run on fresh inputs: ", why, "\n");
}

absl::Status MakeFreshInputs(const v1::StudySetup& setup, const ReferenceTools& tools, ReferenceData* data,
                             std::string* log) {
  if (tools.runner == nullptr) {
    TellNoFreshInputs("nothing here runs the region alone", log);
    return absl::OkStatus();
  }
  FreshSource source;
  source.arrays = &setup.scop().arrays();
  source.what = "the region, run alone";
  source.tolerance = ToleranceFrom(setup.tolerance());
  source.nothing_changes = "no input of the region is a floating point value other than zero";
  const std::set<std::string> indices = ArraysThatIndex(setup.scop());
  for (const auto& change : {FreshValues, ScaledValues}) {
    source.ways.push_back([&, change](int array, absl::string_view recorded, uint64_t seed) {
      const v1::Array& of = setup.scop().arrays(array);
      if (indices.count(of.name()) > 0) return std::string(recorded);
      return change(of.element_type(), recorded, seed, array);
    });
  }
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  std::string log_of_compiler;
  const absl::StatusOr<std::string> library =
      CompileRegionAlone(setup, tools, data->reference, folder.path() + "/program", &log_of_compiler);
  if (absl::IsCancelled(library.status())) return library.status();
  if (!library.ok()) {
    TellNoFreshInputs(library.status().message(), log);
    return absl::OkStatus();
  }
  source.program = OnHost(*library, setup.limits(), tools, /*threads=*/0);
  TUNE_ASSIGN_OR_RETURN(const std::string obstacle, MakeFreshSets(source, data));
  if (!obstacle.empty()) TellNoFreshInputs(obstacle, log);
  return absl::OkStatus();
}

}  // namespace tune
