#include "tests/random_programs/program_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "tests/common/testing/programs.h"
#include "tests/random_programs/random_program.h"
#include "tests/worker/codegen/region_library.h"
#include "tests/worker/cuda_programs/simulation.h"
#include "worker/codegen/openmp_generator.h"
#include "worker/mapping/cpu_mapper.h"
#include "worker/print/region_function.h"

namespace tune::testing {
namespace {

constexpr int kRandomConfigurations = 3;
constexpr int kThreads = 3;
constexpr IslContext::Limits kLimits = {.operations = 10'000'000,
                                        .processor_time = absl::Seconds(kSanitized ? 120 : 20)};

struct HostCandidate {
  std::string configuration;
  std::string text;
};

// One program with all that is made of it.
struct CheckedProgram {
  RandomProgram program;
  v1::Scop scop;
  v1::Reference reference;
  bool exact = false;
  std::vector<HostCandidate> host;
  std::vector<Candidate> device;
};

std::string Repeat(const RandomProgram& program) {
  return absl::StrCat("repeat with: TUNE_RANDOM_SEED=", program.seed, " build/tests/random_programs_test\n",
                      program.text);
}

// The first line, without the file's name and the place.
std::string Reason(const absl::Status& status) {
  for (const absl::string_view line : absl::StrSplit(status.message(), '\n')) {
    const size_t at = line.find("error: ");
    if (at != absl::string_view::npos) return std::string(line.substr(at + 7));
  }
  return std::string(status.message().substr(0, 200));
}

absl::StatusOr<v1::Scop> Extract(const RandomProgram& program) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const std::string path = folder.path() + "/program.c";
  TUNE_RETURN_IF_ERROR(WriteFile(path, program.text));
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, ExtractFile(path));
  return extraction.scops(0);
}

// With the extents that the program declares.
v1::Reference ReferenceOf(const RandomProgram& program, const v1::Scop& scop) {
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : scop.parameters())
    values[parameter.name()] = program.sizes.at(parameter.name());
  v1::Reference reference = MakeReference(scop, values);
  std::map<std::string, bool> inside;
  for (const v1::Array& array : scop.arrays()) inside[array.name()] = array.declared_inside();
  for (v1::ArrayExtents& extents : *reference.mutable_arrays()) {
    for (const ProgramArray& array : program.arrays) {
      if (array.name != extents.name() || inside[array.name]) continue;
      // What is a matrix in one dimension to the program need not be one to its subscripts.
      const bool in_rows = extents.extents_size() == static_cast<int>(array.extents.size());
      const std::vector<int64_t> elements = {std::accumulate(array.extents.begin(), array.extents.end(),
                                                             int64_t{1}, std::multiplies<int64_t>())};
      const std::vector<int64_t>& declared = in_rows ? array.extents : elements;
      extents.mutable_extents()->Assign(declared.begin(), declared.end());
    }
  }
  return reference;
}

std::map<std::string, int64_t> Values(const v1::Reference& reference) {
  std::map<std::string, int64_t> values;
  for (const v1::ParameterValue& value : reference.parameters()) values[value.name()] = value.value();
  return values;
}

// A size that an expression uses as a number is a scalar of the region, too: it has the size's value.
Memory InputsOf(const CheckedProgram& checked) {
  Memory inputs = MakeInputs(checked.scop, checked.reference, 5);
  for (auto& [name, memory] : inputs) {
    const auto size = checked.program.sizes.find(name);
    if (size == checked.program.sizes.end()) continue;
    const int value = static_cast<int>(size->second);
    std::memcpy(memory.bytes.data(), &value, sizeof value);
  }
  return inputs;
}

// The program itself as a function of the runner's kind. What the region does not use is not looked at.
std::string OriginalFunction(const CheckedProgram& checked) {
  const std::string number = absl::StrCat(checked.program.seed);
  std::string text = absl::StrCat(
      "#define kernel kernel_", number, "\n#define main main_", number, "\n", checked.program.text,
      "#undef main\n#undef N\n#undef M\n", "void tune_region(void **arrays);\n",
      "void tune_region(void **arrays) {\n  static double unused[20000];\n", "  void *memory[] = {");
  for (const ProgramArray& array : checked.program.arrays) {
    int index = -1;
    for (int i = 0; i < checked.scop.arrays_size(); ++i) {
      const v1::Array& known = checked.scop.arrays(i);
      if (known.name() == array.name && !known.declared_inside()) index = i;
    }
    absl::StrAppend(&text, index < 0 ? "unused" : absl::StrCat("arrays[", index, "]"), ", ");
  }
  return absl::StrCat(text, "0};\n  ", checked.program.Call("memory"), "\n}\n#undef kernel\n");
}

absl::StatusOr<HostCandidate> MakeHostCandidate(CpuSpace& space, const v1::Reference& reference,
                                                uint64_t seed) {
  DefaultChooser standard;
  RandomChooser random(seed);
  RecordingChooser recording(seed == 0 ? static_cast<Chooser*>(&standard) : &random);
  TUNE_ASSIGN_OR_RETURN(const CpuPlan plan, space.Walk(recording));
  TUNE_ASSIGN_OR_RETURN(const isl::schedule mapped,
                        MapCpuPlan(space.context(), plan, space.parameter_values()));
  TUNE_ASSIGN_OR_RETURN(const std::string code,
                        PrintOpenMpBlock(space.context(), mapped, space.scop(), space.parameter_values()));
  TUNE_ASSIGN_OR_RETURN(std::string text, PrintRegionFunction(space.scop().proto, reference, code));
  return HostCandidate{PrintConfiguration(recording.configuration()), std::move(text)};
}

// Adds the default candidate, which there must be, and random ones.
template <typename T, typename Make>
void AddCandidates(const RandomProgram& program, const char* target, const Make& make,
                   std::vector<T>* candidates) {
  for (int i = 0; i <= kRandomConfigurations; ++i) {
    const uint64_t seed = i == 0 ? 0 : program.seed * kRandomConfigurations + static_cast<uint64_t>(i);
    absl::StatusOr<T> candidate = make(seed);
    ++Figures().candidates;
    if (candidate.ok()) {
      candidates->push_back(*std::move(candidate));
      continue;
    }
    if (i > 0 &&
        (absl::IsResourceExhausted(candidate.status()) || absl::IsInvalidArgument(candidate.status()))) {
      ++Figures().given_up;
      continue;
    }
    if (absl::IsResourceExhausted(candidate.status())) {
      ++Figures().refused[absl::StrCat("too complex for ", target)];
      return;
    }
    ++(i == 0 ? Figures().without_candidate : Figures().wrong);
    ADD_FAILURE() << target
                  << (i == 0 ? ", default configuration: " : absl::StrCat(", random configuration ", i, ": "))
                  << candidate.status() << "\n"
                  << Repeat(program);
  }
}

void AddHostCandidates(CheckedProgram* checked) {
  const std::map<std::string, int64_t> values = Values(checked->reference);
  CpuSpaceOptions options;
  options.hardware_threads = kThreads;
  auto space = CpuSpace::Make(WithParameterFacts(checked->scop, values), values, options, kLimits);
  const auto make = [&](uint64_t seed) -> absl::StatusOr<HostCandidate> {
    TUNE_RETURN_IF_ERROR(space.status());
    return MakeHostCandidate(**space, checked->reference, seed);
  };
  AddCandidates(checked->program, "cpu", make, &checked->host);
}

void AddDeviceCandidates(CheckedProgram* checked) {
  const std::map<std::string, int64_t> values = Values(checked->reference);
  CudaSpaceOptions options = testing::H200Options();
  options.device.multiprocessors = 3;
  options.exact = checked->exact;
  options.device.shared_bytes_per_block_optin = 2 * options.device.shared_bytes_per_block;
  auto space = CudaSpace::Make(WithParameterFacts(checked->scop, values), values, options, kLimits);
  const auto make = [&](uint64_t seed) -> absl::StatusOr<Candidate> {
    TUNE_RETURN_IF_ERROR(space.status());
    // The check takes most of the time: of the default mapping, of the first random one, and of all in long
    // runs and repeated ones.
    const bool check =
        seed == 0 || seed % kRandomConfigurations == 1 || std::getenv("TUNE_RANDOM_SEED") != nullptr;
    return MakeCandidate(**space, checked->reference, seed, check);
  };
  AddCandidates(checked->program, "cuda", make, &checked->device);
}

// Neither so large nor so small that another order of a sum or product overflows, or ends at zero.
template <typename T>
bool FiniteVector(const std::vector<std::byte>& bytes) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, &bytes[at], sizeof value);
    if (!std::isfinite(value) || std::abs(value) > 1e15) return false;
    if (value != 0 && std::abs(value) < std::numeric_limits<T>::min()) return false;
  }
  return true;
}

bool IsFinite(const Memory& memory) {
  for (const auto& [name, array] : memory) {
    if (array.type == v1::ELEMENT_TYPE_DOUBLE && !FiniteVector<double>(array.bytes)) return false;
    if (array.type == v1::ELEMENT_TYPE_FLOAT && !FiniteVector<float>(array.bytes)) return false;
  }
  return true;
}

// "x: 3.5e-06 apart", as vectors, of one array that differs.
std::string Distance(const std::string& name, const ArrayMemory& found, const ArrayMemory& expected) {
  double distance = 0, length = 0;
  const size_t size = static_cast<size_t>(ElementSize(expected.type));
  for (size_t at = 0; at < expected.bytes.size(); at += size) {
    const auto value = [&](const ArrayMemory& memory) -> double {
      double number = 0;
      float single = 0;
      if (memory.type == v1::ELEMENT_TYPE_FLOAT)
        return std::memcpy(&single, &memory.bytes[at], sizeof single), single;
      if (memory.type == v1::ELEMENT_TYPE_DOUBLE)
        return std::memcpy(&number, &memory.bytes[at], sizeof number), number;
      int64_t integer = 0;
      std::memcpy(&integer, &memory.bytes[at], size);
      return static_cast<double>(integer);
    };
    distance += (value(found) - value(expected)) * (value(found) - value(expected));
    length += value(expected) * value(expected);
  }
  return absl::StrCat(name, ": ", std::sqrt(distance / length), " apart");
}

// By how much sums in another order may differ: some thousand additions of numbers as precise as the least
// precise of the program, which may go into any other.
double Rounding(const RandomProgram& program) {
  return absl::StrContains(program.text, "float") ? 1e-4 : 1e-9;
}

// Bit for bit where no `rounding` is given.
bool Agrees(const Memory& found, const Memory& expected, std::optional<double> rounding, std::string* where) {
  for (const auto& [name, memory] : expected) {
    if (rounding ? CloseNumbers(found.at(name), memory, rounding) : SameNumbers(found.at(name), memory))
      continue;
    *where = Distance(name, found.at(name), memory);
    return false;
  }
  return true;
}

void Report(const CheckedProgram& checked, const char* target, const std::string& configuration,
            const std::string& what, const std::string& code) {
  ++Figures().wrong;
  ADD_FAILURE() << target << ": " << what << "\n" << configuration << Repeat(checked.program) << code;
}

// Everything compiled: of several programs at once, so that compilers start less often.
absl::Status RunAll(std::vector<CheckedProgram>& programs) {
  std::vector<std::string> originals, texts;
  std::vector<Candidate> candidates;
  for (const CheckedProgram& checked : programs) {
    originals.push_back(OriginalFunction(checked));
    for (const HostCandidate& candidate : checked.host) texts.push_back(candidate.text);
    candidates.insert(candidates.end(), checked.device.begin(), checked.device.end());
  }
  TUNE_ASSIGN_OR_RETURN(const RegionLibrary original, RegionLibrary::Compile(originals, "-w"));
  TUNE_ASSIGN_OR_RETURN(const RegionLibrary host, RegionLibrary::Compile(texts, "-fopenmp -w"));
  TUNE_ASSIGN_OR_RETURN(const auto simulation, Simulation::Make(candidates));
  size_t text = 0, candidate = 0;
  for (size_t p = 0; p < programs.size(); ++p) {
    const CheckedProgram& checked = programs[p];
    const Memory inputs = InputsOf(checked);
    Memory expected = inputs;
    original.Run(static_cast<int>(p), checked.scop, expected);
    const bool finite = IsFinite(expected);
    if (!finite) ++Figures().not_finite;
    std::string where;
    for (const HostCandidate& made : checked.host) {
      Memory found = inputs;
      host.Run(static_cast<int>(text++), checked.scop, found);
      if (!Agrees(found, expected, std::nullopt, &where))
        Report(checked, "cpu", made.configuration, where, made.text);
    }
    for (const Candidate& made : checked.device) {
      Memory found = inputs;
      const absl::Status run = simulation->Run(candidate++, found);
      const std::string code = made.program.kernels + made.program.launches;
      const bool shares = absl::StrContains(made.configuration, ".reduction = x") ||
                          absl::StrContains(made.configuration, ".reduction = y");
      std::optional<double> rounding;
      if (shares && !checked.exact) rounding = Rounding(checked.program);
      if (!run.ok())
        Report(checked, "cuda", made.configuration, std::string(run.message()), code);
      else if ((finite || !shares) && !Agrees(found, expected, rounding, &where))
        Report(checked, "cuda", made.configuration, where, code);
    }
  }
  return absl::OkStatus();
}

}  // namespace

int CheckFigures::Refused() const {
  int sum = 0;
  for (const auto& [reason, count] : refused) sum += count;
  return sum;
}

std::string CheckFigures::Text() const {
  std::string text = absl::StrCat(programs, " programs, ", Refused(), " refused, ", not_finite,
                                  " not finite, ", candidates, " candidates, ", given_up, " given up, ",
                                  wrong, " wrong, ", without_candidate, " without a default candidate\n");
  for (const auto& [reason, count] : refused) absl::StrAppend(&text, "  refused ", count, ": ", reason, "\n");
  return text;
}

CheckFigures& Figures() {
  static auto& figures = *new CheckFigures;
  return figures;
}

void CheckRandomPrograms(const std::vector<uint64_t>& seeds) {
  std::vector<CheckedProgram> programs;
  for (const uint64_t seed : seeds) {
    CheckedProgram checked;
    checked.program = MakeRandomProgram(seed);
    checked.exact = seed % 4 == 0;
    ++Figures().programs;
    absl::StatusOr<v1::Scop> scop = Extract(checked.program);
    if (!scop.ok()) {
      ++Figures().refused[Reason(scop.status())];
      continue;
    }
    checked.scop = *std::move(scop);
    checked.reference = ReferenceOf(checked.program, checked.scop);
    AddHostCandidates(&checked);
    AddDeviceCandidates(&checked);
    programs.push_back(std::move(checked));
  }
  const absl::Status run = RunAll(programs);
  if (run.ok()) return;
  if (programs.size() == 1) {
    ++Figures().wrong;
    ADD_FAILURE() << run << "\n" << Repeat(programs[0].program);
    return;
  }
  // Which of them does not compile.
  for (CheckedProgram& checked : programs) {
    std::vector<CheckedProgram> one;
    one.push_back(std::move(checked));
    const absl::Status alone = RunAll(one);
    if (alone.ok()) continue;
    ++Figures().wrong;
    ADD_FAILURE() << alone << "\n" << Repeat(one[0].program);
  }
}

}  // namespace tune::testing
