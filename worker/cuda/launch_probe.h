// How long a region will take, judged by a few of its blocks.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "worker/cuda/region_run.h"

namespace tune {

// Blocks of a launch are independent, so that a launch of some of them does that part of the work: as many as
// the device holds at once, times the share that they are of all. And of a kernel with many launches a few
// are made, evenly spread. What they leave in memory counts for nothing. Blocks of a triangular domain are
// not alike; an estimate may be a few times too high or too low.
class LaunchProbe {
 public:
  static absl::StatusOr<LaunchProbe> Make(const DeviceSession& session);

  struct Estimate {
    RegionRunEnd end;             // of the run of some blocks; the rest holds when it is done
    double seconds = 0;           // of the whole region
    int64_t blocks = 0, all = 0;  // that were run, that there are
  };
  // nullopt when that would not be much less than all, or there are many kernels, or blocks wait for each
  // other.
  absl::StatusOr<std::optional<Estimate>> Measure(LoadedCandidate& candidate, const CandidateMemory& memory,
                                                  RegionRun& run);

 private:
  // The events before and after a launch.
  struct Interval {
    DeviceEvent begin, end;
  };
  // A launch that is made.
  struct Part {
    unsigned grid[3];
    double weight;  // times what it takes is what its share of the region takes
  };
  LaunchProbe() = default;
  std::map<size_t, Part> ChooseParts(const LoadedCandidate& candidate,
                                     const std::vector<PlannedLaunch>& launches,
                                     const std::vector<v1::KernelEvaluation>& facts) const;

  int multiprocessors_ = 0;
  std::vector<Interval> intervals_;
};

// Makes the grid's last dimensions smaller until it has no more than `most` blocks, at least one.
void ShrinkGrid(int64_t most, unsigned grid[3]);

}  // namespace tune
