#include "worker/evaluate/host_run.h"

#include <algorithm>

namespace tune {
namespace {

// Address space of a thread: its stack and what the C library reserves.
constexpr int64_t kThreadBytes = 16 << 20;

}  // namespace

absl::StatusOr<RunOutcome> RunOnHost(const v1::StudySetup& setup, const std::vector<v1::RunnerArray>& arrays,
                                     const std::vector<BuiltCandidate>& candidates, const RunLimits& limits,
                                     int threads, Runner* runner) {
  RunRequest request;
  v1::RunnerJob& job = request.job;
  for (const BuiltCandidate& candidate : candidates) *job.add_candidates() = candidate.cpu;
  *job.mutable_arrays() = {arrays.begin(), arrays.end()};
  *job.mutable_sampling() = limits.sampling;
  if (limits.best != nullptr) job.mutable_sampling()->set_best_seconds(limits.best->seconds());
  job.set_memory_bytes(setup.limits().memory_bytes() + threads * kThreadBytes);
  job.set_file_bytes(setup.limits().file_bytes());
  job.set_cpu_seconds(limits.wall_seconds * std::max(1, threads));
  job.set_float_relative(setup.tolerance().float_relative());
  job.set_double_relative(setup.tolerance().double_relative());
  request.wall_seconds = limits.wall_seconds;
  request.threads = threads;
  request.cancellation = limits.cancellation;
  return runner->Run(request);
}

}  // namespace tune
