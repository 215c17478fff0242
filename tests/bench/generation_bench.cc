// Time of a candidate from configuration to C or CUDA text, for each of tests/programs, once its schedule is
// known.
#include <benchmark/benchmark.h>

#include "common/space/configuration.h"
#include "common/space/cpu_space.h"
#include "common/space/cuda_space.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "worker/codegen/code_generator.h"

namespace tune {
namespace {

constexpr int64_t kSize = 121;
constexpr int kThreads = 16;
constexpr uint64_t kConfigurations = 8;

// Decisions of the first seeds whose walks end well.
template <typename Space>
std::vector<v1::Configuration> RandomConfigurations(Space& space) {
  std::vector<v1::Configuration> configurations;
  for (uint64_t seed = 1; seed <= kConfigurations; ++seed) {
    testing::RandomChooser random(seed);
    RecordingChooser recording(&random);
    if (space.Walk(recording).ok()) configurations.push_back(recording.configuration());
  }
  return configurations;
}

absl::Status Time(benchmark::State& state, CodeGenerator& generator,
                  const std::vector<v1::Configuration>& configurations) {
  // The schedules are computed by the first candidates that use them.
  std::vector<v1::Configuration> possible;
  for (const v1::Configuration& each : configurations) {
    const absl::Status status = generator.Generate(each).status();
    if (status.ok()) possible.push_back(each);
    if (!status.ok() && !absl::IsInvalidArgument(status) && !absl::IsResourceExhausted(status)) return status;
  }
  for (auto _ : state) {
    for (const v1::Configuration& each : possible) {
      auto program = generator.Generate(each);
      benchmark::DoNotOptimize(program);
    }
  }
  state.counters["candidate"] =
      benchmark::Counter(static_cast<double>(possible.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  return absl::OkStatus();
}

absl::Status Generate(benchmark::State& state, const std::string& name, bool cuda) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractProgram(name));
  const v1::Scop& scop = extraction.scops(0);
  const std::map<std::string, int64_t> values = testing::ParameterValues(scop, kSize);
  const v1::Scop facts = WithParameterFacts(scop, values);
  const v1::Reference reference = testing::MakeReference(scop, values);
  if (cuda) {
    TUNE_ASSIGN_OR_RETURN(const auto space, CudaSpace::Make(facts, values, {}));
    TUNE_ASSIGN_OR_RETURN(const auto generator, MakeCudaGenerator(scop, reference, {}));
    return Time(state, *generator, RandomConfigurations(*space));
  }
  TUNE_ASSIGN_OR_RETURN(const auto space, CpuSpace::Make(facts, values, {kThreads}));
  TUNE_ASSIGN_OR_RETURN(const auto generator, MakeOpenMpGenerator(scop, reference, kThreads));
  return Time(state, *generator, RandomConfigurations(*space));
}

const bool registered = [] {
  for (const std::string& name : testing::ProgramNames()) {
    for (const bool cuda : {false, true}) {
      const auto run = [name, cuda](benchmark::State& state) {
        if (const absl::Status status = Generate(state, name, cuda); !status.ok())
          state.SkipWithError(status.ToString().c_str());
      };
      benchmark::RegisterBenchmark(((cuda ? "GenerateCuda/" : "Generate/") + name).c_str(), run)
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace tune
