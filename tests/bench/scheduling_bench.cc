// Time from a scop to its dependences, and on to its default schedule, for each of tests/programs; and of
// walks at levels O2 and O3, with the schedule and its kernels at the end of each.
#include <benchmark/benchmark.h>

#include "common/schedule/scheduler.h"
#include "common/space/schedule_space.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/random_chooser.h"

namespace tune {
namespace {

constexpr int64_t kSize = 121;
constexpr int kWalks = 50;  // random ones, one after the other, as a study's first candidates are

// The first scop of the program with what is known of its parameters.
absl::StatusOr<v1::Scop> ReadScop(const std::string& name) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractProgram(name));
  return WithParameterFacts(extraction.scops(0), testing::ParameterValues(extraction.scops(0), kSize));
}

void Analyse(benchmark::State& state, const std::string& name) {
  const absl::StatusOr<v1::Scop> scop = ReadScop(name);
  if (!scop.ok()) return state.SkipWithError(scop.status().ToString().c_str());
  for (auto _ : state) {
    IslContext context;
    const auto parsed = ParseScop(context, *scop);
    const auto dependences = parsed.ok() ? ComputeDependences(context, **parsed) : parsed.status();
    if (!dependences.ok()) return state.SkipWithError(dependences.status().ToString().c_str());
  }
}

void Schedule(benchmark::State& state, const std::string& name) {
  const absl::StatusOr<v1::Scop> scop = ReadScop(name);
  if (!scop.ok()) return state.SkipWithError(scop.status().ToString().c_str());
  IslContext context;
  const auto parsed = ParseScop(context, *scop);
  const auto dependences = parsed.ok() ? ComputeDependences(context, **parsed) : parsed.status();
  if (!dependences.ok()) return state.SkipWithError(dependences.status().ToString().c_str());
  for (auto _ : state) {
    const auto schedule = ComputeSchedule(context, **parsed, *dependences, {});
    if (!schedule.ok()) return state.SkipWithError(schedule.status().ToString().c_str());
  }
}

void Walk(benchmark::State& state, const std::string& name, ScheduleLevel level) {
  const absl::StatusOr<v1::Scop> scop = ReadScop(name);
  if (!scop.ok()) return state.SkipWithError(scop.status().ToString().c_str());
  const auto space =
      ScheduleSpace::Make(*scop, testing::ParameterValues(*scop, kSize), {}, InnerReductions::kAreKernels);
  if (!space.ok()) return state.SkipWithError(space.status().ToString().c_str());
  uint64_t seed = 0;
  for (auto _ : state) {
    testing::RandomChooser chooser(seed++);
    const auto walked = (*space)->Walk(chooser, level);
    if (!walked.ok()) return state.SkipWithError(walked.status().ToString().c_str());
  }
}

const bool registered = [] {
  for (const std::string& name : testing::ProgramNames()) {
    benchmark::RegisterBenchmark(("Dependences/" + name).c_str(), Analyse, name)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("Schedule/" + name).c_str(), Schedule, name)->Unit(benchmark::kMillisecond);
    for (const auto& [prefix, level] :
         {std::pair("WalkO2/", ScheduleLevel::kO2), {"WalkO3/", ScheduleLevel::kO3}}) {
      benchmark::RegisterBenchmark((prefix + name).c_str(), Walk, name, level)
          ->Unit(benchmark::kMillisecond)
          ->Iterations(kWalks);
    }
  }
  return true;
}();

}  // namespace
}  // namespace tune
