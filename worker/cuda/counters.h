// The device's counters for each kernel of a candidate.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/cuda/range_profiler.h"
#include "worker/cuda/region_run.h"

namespace tune {

// Reads them with CUPTI's range profiler, in runs of their own: each run of the region collects what the
// counters hold at once.
class Counters {
 public:
  explicit Counters(const DeviceSession& session) : session_(&session) {}

  // A region that takes longer is not run again for its counters.
  static constexpr double kLongestSeconds = 2;

  // Sets `metrics` of `kernels` (in the candidate's order): of a kernel with many launches, the mean over
  // some of them spread evenly, weighted by their time. Nothing is done for a longer region, nor for more
  // than RangeProfiler::kMostRanges kernels. Without permission or support the kernels stay as they are and
  // `note` says why and what to do; that is said once, later calls return at once. The result's kind says
  // whether the device is still good.
  absl::StatusOr<RegionRunEnd> Measure(LoadedCandidate& candidate, const CandidateMemory& memory,
                                       RegionRun& run, double median_seconds,
                                       std::vector<v1::KernelEvaluation>* kernels, std::string* note);

 private:
  absl::StatusOr<RegionRunEnd> Collect(LoadedCandidate& candidate, const CandidateMemory& memory,
                                       RegionRun& run, const std::vector<std::vector<int64_t>>& chosen,
                                       absl::Status* refusal);

  const DeviceSession* session_;
  std::unique_ptr<RangeProfiler> profiler_;  // made when first needed
  bool refused_ = false;
};

}  // namespace tune
