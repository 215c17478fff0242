// Time of a candidate from configuration to C text, for each of tests/programs, once its schedule is known.
#include <benchmark/benchmark.h>

#include "common/space/configuration.h"
#include "common/space/cpu_space.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/codegen/random_chooser.h"
#include "worker/codegen/code_generator.h"

namespace tune {
namespace {

constexpr int64_t kSize = 121;
constexpr int kThreads = 16;
constexpr uint64_t kConfigurations = 8;

v1::Reference ReferenceOf(const std::map<std::string, int64_t>& values) {
  v1::Reference reference;
  for (const auto& [name, value] : values) {
    v1::ParameterValue& parameter = *reference.add_parameters();
    parameter.set_name(name);
    parameter.set_value(value);
  }
  return reference;
}

absl::StatusOr<std::vector<v1::Configuration>> RandomConfigurations(
    const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<CpuSpace> space,
                        CpuSpace::Make(WithParameterFacts(scop, values), values, {kThreads}));
  std::vector<v1::Configuration> configurations;
  for (uint64_t seed = 1; seed <= kConfigurations; ++seed) {
    testing::RandomChooser random(seed);
    RecordingChooser recording(&random);
    if (space->Walk(recording).ok()) configurations.push_back(recording.configuration());
  }
  return configurations;
}

absl::Status Generate(benchmark::State& state, const std::string& name) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractProgram(name));
  const v1::Scop& scop = extraction.scops(0);
  const std::map<std::string, int64_t> values = testing::ParameterValues(scop, kSize);
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Configuration> configurations,
                        RandomConfigurations(scop, values));
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<CodeGenerator> generator,
                        MakeOpenMpGenerator(scop, ReferenceOf(values), kThreads));
  // The schedules are computed by the first candidates that use them.
  for (const v1::Configuration& each : configurations)
    TUNE_RETURN_IF_ERROR(generator->Generate(each).status());
  for (auto _ : state) {
    for (const v1::Configuration& each : configurations) {
      auto program = generator->Generate(each);
      benchmark::DoNotOptimize(program);
    }
  }
  state.counters["candidate"] =
      benchmark::Counter(static_cast<double>(configurations.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  return absl::OkStatus();
}

const bool registered = [] {
  for (const std::string& name : testing::ProgramNames()) {
    const auto run = [name](benchmark::State& state) {
      if (const absl::Status status = Generate(state, name); !status.ok())
        state.SkipWithError(status.ToString().c_str());
    };
    benchmark::RegisterBenchmark(("Generate/" + name).c_str(), run)->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace tune
