#include "worker/reference/fresh_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "common/array/element_type.h"
#include "common/base/file.h"
#include "common/base/random.h"
#include "worker/reference/index_inputs.h"
#include "worker/reference/original_region.h"
#include "worker/run/guarded_memory.h"

namespace tune {
namespace {

constexpr double kLeastChange = 5e-3, kMostChange = 1e-2;
// There are several sets where the region takes less time, and its arrays are smaller and not too many: each
// file of an array is an open one of the judge.
constexpr int kSets = 3;
constexpr double kShortRegionSeconds = 0.05;
constexpr int64_t kSmallBytes = 64 << 20;
constexpr size_t kFewArrays = 100;

template <typename T>
std::string Change(absl::string_view bytes, uint64_t seed, uint64_t stream) {
  Random random(seed, stream);
  std::string changed(bytes);
  for (size_t at = 0; at + sizeof(T) <= changed.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, changed.data() + at, sizeof value);
    if (value == 0 || !std::isfinite(value)) continue;
    const double drawn = 2 * random.Uniform() - 1;
    const double change = kLeastChange + (kMostChange - kLeastChange) * std::fabs(drawn);
    value = static_cast<T>(value * (1 + std::copysign(change, drawn)));
    std::memcpy(changed.data() + at, &value, sizeof value);
  }
  return changed;
}

uint64_t UnknownSeed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

template <typename T>
bool LosesFiniteValues(absl::string_view recorded, absl::string_view fresh) {
  for (size_t at = 0; at + sizeof(T) <= recorded.size(); at += sizeof(T)) {
    T before, after;
    std::memcpy(&before, recorded.data() + at, sizeof before);
    std::memcpy(&after, fresh.data() + at, sizeof after);
    if (std::isfinite(before) && !std::isfinite(after)) return true;
  }
  return false;
}

absl::string_view Bytes(const MappedFile& file) {
  return {static_cast<const char*>(file.data()), file.size()};
}

// One making of them, in a folder that becomes the reference's when all is well.
class FreshInputs {
 public:
  FreshInputs(const FreshSource& source, ReferenceData* data)
      : source_(source), data_(data), folder_(data->folder + "/fresh.new") {}

  // What they are left out for, or empty.
  absl::StatusOr<std::string> Make() {
    TUNE_ASSIGN_OR_RETURN(arrays_, RunnerArrays(*source_.arrays, *data_, /*compare_outputs=*/true));
    TUNE_ASSIGN_OR_RETURN(std::string obstacle, MakeSet());
    while (obstacle.empty() && sets_ < kSets && IsSmall()) {
      TUNE_ASSIGN_OR_RETURN(obstacle, MakeSet());
    }
    if (!obstacle.empty()) return obstacle;
    std::error_code error;
    std::filesystem::rename(folder_, data_->folder + "/fresh", error);
    if (error) return absl::UnavailableError(absl::StrCat(folder_, ": ", error.message()));
    return std::string();
  }

  int sets() const { return sets_; }

  void Remove() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  static absl::StatusOr<MappedFile> Open(const v1::RunnerArray& array, const std::string& path) {
    TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(),
                                                          {array.extents().begin(), array.extents().end()}));
    return MappedFile::Open(path, bytes);
  }

  bool IsSmall() const {
    return seconds_ < kShortRegionSeconds && bytes_ < kSmallBytes && arrays_.size() < kFewArrays;
  }

  std::string Set() const { return absl::StrCat(folder_, "/", sets_); }

  // One more; what it is left out for, or empty.
  absl::StatusOr<std::string> MakeSet() {
    TUNE_ASSIGN_OR_RETURN(const bool changed, WriteInputs());
    if (!changed) return source_.nothing_changes;
    TUNE_ASSIGN_OR_RETURN(const std::string failure, RunProgram());
    if (!failure.empty()) return absl::StrCat(source_.what, ", failed: ", failure);
    TUNE_ASSIGN_OR_RETURN(const bool finite, OutputsAreFinite());
    if (!finite) return absl::StrCat(source_.what, ": outputs are not finite where recorded ones are");
    ++sets_;
    return std::string();
  }

  // Whether one differs from the recorded one.
  absl::StatusOr<bool> WriteInputs() {
    TUNE_RETURN_IF_ERROR(MakeFolder(Set() + "/in"));
    TUNE_RETURN_IF_ERROR(MakeFolder(Set() + "/out"));
    const uint64_t seed = UnknownSeed();
    bool changed = false;
    bytes_ = 0;
    for (size_t i = 0; i < arrays_.size(); ++i) {
      const v1::RunnerArray& array = arrays_[i];
      if (array.input_file().empty()) continue;
      TUNE_ASSIGN_OR_RETURN(const MappedFile input, Open(array, array.input_file()));
      TUNE_ASSIGN_OR_RETURN(const std::string fresh, source_.values(static_cast<int>(i), Bytes(input), seed));
      changed = changed || fresh != Bytes(input);
      bytes_ += static_cast<int64_t>(fresh.size());
      TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(Set(), "/in/", array.name(), ".bin"), fresh));
    }
    return changed;
  }

  // What went wrong, or empty.
  absl::StatusOr<std::string> RunProgram() {
    RecordedRun run;
    run.folder = Set() + "/out";
    run.only_record = true;
    for (const v1::RunnerArray& array : arrays_) {
      v1::RunnerArray& fresh = run.arrays.emplace_back(array);
      fresh.clear_expected_file();
      fresh.clear_fresh();
      if (!array.input_file().empty())
        fresh.set_input_file(absl::StrCat(Set(), "/in/", array.name(), ".bin"));
    }
    TUNE_ASSIGN_OR_RETURN(const RunOutcome outcome, source_.program(run));
    const v1::RunnerVerdict& verdict = outcome.verdicts.at(0);
    if (verdict.outcome() == v1::CANCELLED) return absl::CancelledError("cancelled");
    seconds_ = verdict.first_seconds();
    return verdict.outcome() == v1::CORRECT ? std::string() : verdict.message();
  }

  absl::StatusOr<bool> OutputsAreFinite() const {
    for (const v1::RunnerArray& array : arrays_) {
      if (array.expected_file().empty()) continue;
      TUNE_ASSIGN_OR_RETURN(const MappedFile recorded, Open(array, array.expected_file()));
      TUNE_ASSIGN_OR_RETURN(const MappedFile fresh,
                            Open(array, absl::StrCat(Set(), "/out/", array.name(), ".bin")));
      const bool lost = (array.element_type() == v1::ELEMENT_TYPE_FLOAT &&
                         LosesFiniteValues<float>(Bytes(recorded), Bytes(fresh))) ||
                        (array.element_type() == v1::ELEMENT_TYPE_DOUBLE &&
                         LosesFiniteValues<double>(Bytes(recorded), Bytes(fresh)));
      if (lost) return false;
    }
    return true;
  }

  const FreshSource& source_;
  ReferenceData* const data_;
  const std::string folder_;
  std::vector<v1::RunnerArray> arrays_;
  int sets_ = 0;
  double seconds_ = 0;  // that the last run took
  int64_t bytes_ = 0;   // of the last set
};

}  // namespace

std::string FreshValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream) {
  if (type == v1::ELEMENT_TYPE_FLOAT) return Change<float>(bytes, seed, stream);
  if (type == v1::ELEMENT_TYPE_DOUBLE) return Change<double>(bytes, seed, stream);
  return std::string(bytes);
}

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
  source.nothing_changes = "no input of the region is a floating point value other than zero";
  const std::set<std::string> indices = ArraysThatIndex(setup.scop());
  source.values = [&](int array, absl::string_view recorded, uint64_t seed) {
    const v1::Array& of = setup.scop().arrays(array);
    if (indices.count(of.name()) > 0) return std::string(recorded);
    return FreshValues(of.element_type(), recorded, seed, array);
  };
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
