// The devices of one model that a worker has, shared by those who want to run something.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker/run/cuda_runner.h"

namespace tune {

// Gives each job the first device that is free. Thread safe.
class DevicePool {
 public:
  struct Member {
    std::string name;  // "cuda:1", for people
    int ordinal;       // the driver's index
    std::unique_ptr<CudaRunner> runner;
  };
  explicit DevicePool(std::vector<Member> members);

  // Waits for a device, then runs the job there, and tells which it was. `at_last` sets what of the job is to
  // be decided when the device is there. Errors as CudaRunner::Run; CANCELLED when the request is cancelled
  // while it waits.
  absl::StatusOr<RunOutcome> Run(CudaRunRequest request,
                                 const std::function<void(v1::CudaJob*)>& at_last = nullptr);

  // Jobs will come soon: prepares the runners that have none.
  void Prepare();

  // Waits for a device and calls `use` with the driver's index of it; the device is used for nothing else
  // meanwhile. False when cancelled while it waits. `cancellation` may be null.
  bool WithDevice(Cancellation* cancellation, const std::function<void(int ordinal)>& use);

 private:
  // A free device, which is not free any more; none after a cancellation.
  std::optional<size_t> Take(Cancellation* cancellation);
  void Return(size_t member);

  const std::vector<Member> members_;
  absl::Mutex mutex_;
  std::vector<size_t> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
