#include "worker/evaluate/device_run.h"

#include <algorithm>

#include "common/base/fingerprint.h"

namespace tune {
namespace {

// The longest run of a region while nothing is known of it.
constexpr double kLongestShareOfEvaluation = 0.5;
// How many times slower than the best one a candidate may be before it is given up: what costs about a
// second, within bounds.
constexpr double kHopelessSeconds = 1, kLeastHopeless = 2, kMostHopeless = 10;
// A run that is cut short costs a process, and another one must take over the device.
constexpr double kShortestLimit = 0.1;

// `best`: seconds, 0 when nothing is known.
void SetRunLimits(const v1::Limits& limits, double best, v1::CudaJob* job) {
  double longest = kLongestShareOfEvaluation * limits.evaluation_seconds();
  job->mutable_sampling()->set_best_seconds(best);
  if (best > 0) {
    const double factor = std::clamp(kHopelessSeconds / best, kLeastHopeless, kMostHopeless);
    job->mutable_sampling()->set_hopeless_factor(factor);
    longest = std::min(longest, std::max(kShortestLimit, factor * best));
  }
  job->set_run_seconds(longest);
}

}  // namespace

absl::StatusOr<RunOutcome> RunOnDevice(const v1::StudySetup& setup, const ReferenceData& reference,
                                       const std::vector<v1::RunnerArray>& arrays,
                                       const std::vector<BuiltCandidate>& candidates, const RunLimits& limits,
                                       DevicePool* devices) {
  CudaRunRequest request;
  v1::CudaJob& job = request.job;
  for (const BuiltCandidate& candidate : candidates) *job.add_candidates() = candidate.cuda;
  *job.mutable_arrays() = {arrays.begin(), arrays.end()};
  // The folder too: a reference that was evicted and made again lies elsewhere.
  job.set_arrays_key(Fingerprint(absl::StrCat(setup.study_id(), "\n", reference.folder, "\n",
                                              reference.reference.input_fingerprint(), "\n",
                                              reference.reference.output_fingerprint())));
  *job.mutable_sampling() = limits.sampling;
  job.set_float_relative(setup.tolerance().float_relative());
  job.set_double_relative(setup.tolerance().double_relative());
  job.set_kernel_times(limits.kernel_times);
  job.set_metrics(limits.kernel_times);
  job.set_metrics_of_all(setup.count_all());
  job.set_energy(setup.energy());
  request.wall_seconds = limits.wall_seconds;
  request.cancellation = limits.cancellation;
  // Once there is a device: while this one waited, others have been measured.
  return devices->Run(request, [&](v1::CudaJob* asked) {
    SetRunLimits(setup.limits(), limits.best != nullptr ? limits.best->seconds() : 0, asked);
  });
}

}  // namespace tune
