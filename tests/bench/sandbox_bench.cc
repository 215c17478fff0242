// What a sandbox costs a run, and that it costs the measured code nothing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "absl/time/clock.h"
#include "common/base/file.h"
#include "common/base/launched_process.h"
#include "common/base/subprocess.h"
#include "common/evaluation/measurement.h"
#include "worker/run/runner.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

constexpr char kSwitch[] = "TUNE_SANDBOX_NAMESPACES";

// Runs what starts a program, again and again; the least time tells most on a machine that does other work,
// too.
void MeasureRuns(benchmark::State& state, const std::function<absl::StatusOr<SubprocessResult>()>& start) {
  std::vector<double> seconds;
  for (auto _ : state) {
    const absl::Time begin = absl::Now();
    const absl::StatusOr<SubprocessResult> run = start();
    seconds.push_back(absl::ToDoubleSeconds(absl::Now() - begin));
    if (!run.ok() || !run->ok()) {
      return state.SkipWithError(run.ok() ? run->standard_error.c_str() : "it does not start");
    }
  }
  state.counters["least_ms"] = 1e3 * *std::min_element(seconds.begin(), seconds.end());
  state.counters["median_ms"] = 1e3 * Median(seconds);
}

// The program alone.
void Plain(benchmark::State& state) {
  MeasureRuns(state, [] { return RunSubprocess({"/bin/true"}); });
}
BENCHMARK(Plain)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);

// As a candidate runs: a folder to write to and ten files to read.
void Sandboxed(benchmark::State& state, bool namespaces) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  SandboxSettings settings;
  settings.calls = SandboxSettings::kOfRunner;
  settings.writable = {folder.path()};
  for (int i = 0; i < 10; ++i) {
    settings.readable.push_back(absl::StrCat(folder.path(), ".", i));
    if (!WriteFile(settings.readable.back(), "data").ok()) state.SkipWithError("cannot write");
  }
  if (!namespaces) setenv(kSwitch, "off", 1);
  MeasureRuns(state, [&] { return RunSandboxed({"/bin/true"}, settings, {}); });
  unsetenv(kSwitch);
  for (const std::string& file : settings.readable) unlink(file.c_str());
}
BENCHMARK_CAPTURE(Sandboxed, with_namespaces, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(500);
BENCHMARK_CAPTURE(Sandboxed, without_namespaces, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(500);

void Bubblewrap(benchmark::State& state) {
  if (!FindInPath("bwrap").ok()) return state.SkipWithError("bwrap is not installed");
  const std::vector<std::string> command = {
      "bwrap",   "--unshare-all", "--die-with-parent", "--ro-bind", "/usr",         "/usr",   "--symlink",
      "usr/lib", "/lib",          "--symlink",         "usr/lib64", "/lib64",       "--proc", "/proc",
      "--dev",   "/dev",          "--tmpfs",           "/tmp",      "/usr/bin/true"};
  MeasureRuns(state, [&] { return RunSubprocess(command); });
}
BENCHMARK(Bubblewrap)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);

// Candidates of about 30 ms, and of some microseconds on one thread and on all; `a` holds 2^16 elements.
constexpr char kLong[] = R"(
#pragma omp parallel for
  for (int i = 0; i < 1 << 16; ++i)
    for (int j = 0; j < 100; ++j) a[i] = a[i] * 0.5 + j;)";
constexpr char kShort[] = "for (int i = 0; i < 1 << 12; ++i) a[i] = a[i] * 0.5 + 1;";
constexpr char kShortParallel[] = R"(
#pragma omp parallel for
  for (int i = 0; i < 1 << 16; ++i) a[i] = a[i] * 0.5 + 1;)";

// The median that is reported of a candidate, in and out of the namespaces.
void Region(benchmark::State& state, const char* body, bool namespaces) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string source = folder.path() + "/c.c", library = folder.path() + "/c.so",
                    input = folder.path() + "/a.bin";
  const std::string text =
      absl::StrCat("void tune_region(void **arrays) {\n  double *a = arrays[0];\n", body, "\n}\n");
  if (!WriteFile(source, text).ok() || !WriteFile(input, std::string(8 << 16, '\0')).ok() ||
      !RunSubprocess({"cc", "-O2", "-fopenmp", "-shared", "-fPIC", source, "-o", library})->ok()) {
    return state.SkipWithError("no candidate");
  }
  RunRequest request;
  request.job.add_candidates()->set_library(library);
  v1::RunnerArray* const array = request.job.add_arrays();
  array->set_name("a");
  array->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
  array->add_extents(1 << 16);
  array->set_input_file(input);
  request.job.set_memory_bytes(1 << 30);
  request.job.mutable_sampling()->set_max_samples(100);
  request.job.mutable_sampling()->set_min_samples(100);
  if (!namespaces) setenv(kSwitch, "off", 1);
  std::vector<double> medians;
  for (auto _ : state) {
    const auto outcome = (*ProcessRunner::Make())->Run(request);
    if (!outcome.ok() || outcome->verdicts[0].samples().empty())
      return state.SkipWithError("it was not measured");
    const auto& samples = outcome->verdicts[0].samples();
    medians.push_back(Median({samples.begin(), samples.end()}));
  }
  unsetenv(kSwitch);
  state.counters["median_us"] = 1e6 * Median(medians);
  const Interval interval = MedianInterval(medians);
  state.counters["low_us"] = 1e6 * interval.low;
  state.counters["high_us"] = 1e6 * interval.high;
}
BENCHMARK_CAPTURE(Region, long_sandboxed, kLong, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(20);
BENCHMARK_CAPTURE(Region, long_without_namespaces, kLong, false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(20);
BENCHMARK_CAPTURE(Region, short_sandboxed, kShort, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(40);
BENCHMARK_CAPTURE(Region, short_parallel_sandboxed, kShortParallel, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(40);

}  // namespace
}  // namespace tune
