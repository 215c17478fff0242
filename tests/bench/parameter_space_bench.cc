// Spaces of hand-written kernels' parameters: time from parsed constraints to the first configuration, time
// of a configuration drawn, and of expressions.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "common/parameters/parameter_space.h"
#include "tests/common/parameters/sample_spaces.h"

namespace tune {
namespace {

using Description = ParameterSpaceDescription (*)();

void FirstConfiguration(benchmark::State& state, Description describe) {
  const ParameterSpaceDescription description = describe();
  for (auto _ : state) {
    const auto space = ParameterSpace::Make(description);
    if (!space.ok()) return state.SkipWithError(space.status().ToString().c_str());
    Random random(1);
    benchmark::DoNotOptimize(space->Draw(random));
    state.counters["valid"] = static_cast<double>(space->count());
    state.counters["product"] = space->product();
    state.counters["nodes"] = static_cast<double>(space->node_count());
  }
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  state.counters["process_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK_CAPTURE(FirstConfiguration, gemm, testing::GemmSpace)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(FirstConfiguration, dedispersion, testing::DedispersionSpace)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(FirstConfiguration, hotspot, testing::HotspotSpace)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(FirstConfiguration, billion, testing::BillionSpace)->Unit(benchmark::kMillisecond);

void DrawConfiguration(benchmark::State& state, Description describe) {
  const auto space = ParameterSpace::Make(describe());
  if (!space.ok()) return state.SkipWithError(space.status().ToString().c_str());
  Random random(1);
  for (auto _ : state) benchmark::DoNotOptimize(space->Draw(random));
}
BENCHMARK_CAPTURE(DrawConfiguration, gemm, testing::GemmSpace);
BENCHMARK_CAPTURE(DrawConfiguration, billion, testing::BillionSpace);

void CheckConstraint(benchmark::State& state, const char* text) {
  const std::vector<std::string> names = {"x", "y", "z"};
  const auto compiled = CompiledExpression::Compile(*Expression::Parse(text), names);
  const std::vector<Value> values = {Value::Integer(64), Value::Integer(4), Value::Integer(2)};
  for (auto _ : state) benchmark::DoNotOptimize(*compiled->Holds(values));
}
BENCHMARK_CAPTURE(CheckConstraint, whole_numbers, "32 <= x * y * z <= 1024 and x % (y * z) == 0");
BENCHMARK_CAPTURE(CheckConstraint, floats, "32 <= x * y / z <= 1024 and x % (y / z) == 0");

}  // namespace
}  // namespace tune
