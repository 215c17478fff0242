// How long each kernel of a candidate takes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/cuda/cupti_api.h"
#include "worker/cuda/region_run.h"

namespace tune {

// Times kernels with CUPTI's activity records; where there is no CUPTI, or it loses records, with events
// between the launches, which adds a microsecond or two to each.
class KernelTimer {
 public:
  // Attaches CUPTI to the process, so that all that is measured later is measured under the same driver.
  // `note` says why it is not there, if so.
  static KernelTimer Make(const DeviceSession& session, std::string* note);

  // Above this number of launches of one execution no kernel is timed by itself.
  static constexpr int64_t kMostLaunches = 20000;

  // Runs the region once or twice more and sets `seconds` of `kernels` (in the candidate's order): of all
  // launches of the kernel together. With too many launches it stays 0, not known, unless there is one
  // kernel: then it is `median_seconds`, that of the samples. The result's kind says whether the device is
  // still good.
  absl::StatusOr<RegionRunEnd> Measure(LoadedCandidate& candidate, const CandidateMemory& memory,
                                       RegionRun& run, double median_seconds,
                                       std::vector<v1::KernelEvaluation>* kernels) const;

 private:
  KernelTimer(const DeviceSession& session, const CuptiApi* cupti) : session_(&session), cupti_(cupti) {}
  absl::StatusOr<RegionRunEnd> MeasureByRecords(LoadedCandidate& candidate, const CandidateMemory& memory,
                                                RegionRun& run, std::vector<v1::KernelEvaluation>* kernels,
                                                bool* complete) const;
  absl::StatusOr<RegionRunEnd> MeasureByEvents(LoadedCandidate& candidate, const CandidateMemory& memory,
                                               RegionRun& run,
                                               std::vector<v1::KernelEvaluation>* kernels) const;

  const DeviceSession* session_;
  const CuptiApi* cupti_;  // null: none
};

}  // namespace tune
