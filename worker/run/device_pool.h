// The devices of one model that a worker has, shared by those who want to run something.
#pragma once

#include <memory>
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
    std::unique_ptr<CudaRunner> runner;
  };
  explicit DevicePool(std::vector<Member> members);

  // Waits for a device, then runs the job there, and tells which it was. Errors as CudaRunner::Run; CANCELLED
  // when the request is cancelled while it waits.
  absl::StatusOr<RunOutcome> Run(const CudaRunRequest& request);

 private:
  const std::vector<Member> members_;
  absl::Mutex mutex_;
  std::vector<size_t> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
