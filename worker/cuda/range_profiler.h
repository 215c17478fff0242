// CUPTI's range profiler for one device (CUDA 12.6 and newer).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/cuda/cupti_api.h"
#include "worker/cuda/device_session.h"

namespace tune {

// Collects counters of named ranges of launches, in sessions:
//   Begin; do { Start; for each range { Push; launches; Pop }; Stop(&done) } while (!done); Values(...); End
// All passes run the same ranges in the same order. Between Begin and End the device's counters are reserved.
// Errors: PERMISSION_DENIED, this user may not read counters; UNIMPLEMENTED, CUPTI refuses for another
// reason.
class RangeProfiler {
 public:
  // Ranges of one session.
  static constexpr int kMostRanges = 64;

  // UNIMPLEMENTED: this toolkit has no range profiler. `session` outlives the object.
  static absl::StatusOr<std::unique_ptr<RangeProfiler>> Make(const DeviceSession& session,
                                                             const std::vector<std::string>& counters);
  virtual ~RangeProfiler() = default;

  virtual absl::Status Begin() = 0;
  virtual absl::Status End() = 0;
  virtual absl::Status Start() = 0;
  virtual absl::Status Push(const std::string& name) = 0;
  virtual absl::Status Pop() = 0;
  // *done: no further pass is needed.
  virtual absl::Status Stop(bool* done) = 0;

  struct Range {
    std::string name;
    std::vector<double> values;  // in the order of the counters
  };
  virtual absl::StatusOr<std::vector<Range>> Values() = 0;
};

}  // namespace tune
