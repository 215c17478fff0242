// The devices of one model that a worker has, shared by those who want to run something.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker/run/cuda_runner.h"

namespace tune {

// Gives each job the first device that is free. A device that fails where another one of the pool does the
// same work is retired: it gets no further job. That is judged by second opinions: what a device could not
// run at all, and what failed after some failures in a row, is run on another device too. The last device is
// never retired: nobody can tell its faults from those of the candidates, the host or the program. Thread
// safe.
class DevicePool {
 public:
  struct Member {
    std::string name;  // "cuda:1", for people
    int ordinal;       // the driver's index
    std::unique_ptr<CudaRunner> runner;
  };
  explicit DevicePool(std::vector<Member> members);

  // Waits for a device, then runs the job there, and tells which it was. `at_last` sets what of the job is to
  // be decided when the device is there; it is called again for a second opinion. Errors as CudaRunner::Run;
  // CANCELLED when the request is cancelled while it waits.
  absl::StatusOr<RunOutcome> Run(CudaRunRequest request,
                                 const std::function<void(v1::CudaJob*)>& at_last = nullptr);

  // CudaRunner::CheckClocks of a device, when it is free; all are of one model.
  absl::Status CheckClocks(const std::vector<int>& mhz, Cancellation* cancellation);

  // Jobs will come soon: prepares the runners that have none.
  void Prepare();

  // Waits for a device and calls `use` with the driver's index of it; the device is used for nothing else
  // meanwhile. False when cancelled while it waits. `cancellation` may be null.
  bool WithDevice(Cancellation* cancellation, const std::function<void(int ordinal)>& use);
  // The same with the device that has this index; false also when that is retired.
  bool WithDevice(int ordinal, Cancellation* cancellation, const std::function<void()>& use);

  // The devices that get no jobs any more, by the driver's index, with the reason and what to do, one line.
  std::map<int, std::string> Retired() const;

 private:
  // Candidates fail often, and in rows. After so many failures another device is asked; when it agrees, the
  // number doubles until the next success.
  static constexpr int kSuspiciousFailures = 2;

  // What is known of a device.
  struct Conduct {
    int failures = 0;                   // in a row
    int allowed = kSuspiciousFailures;  // failures in a row before there are second opinions
    int blames = 0;                     // second opinions in a row that were better
    std::string retired;                // why; empty: it is not
  };
  using Result = absl::StatusOr<RunOutcome>;

  // A free device that is wanted, which is not free any more; none after a cancellation, and when all that
  // are wanted are retired.
  using Wanted = std::function<bool(size_t member)>;
  std::optional<size_t> Take(Cancellation* cancellation, const Wanted& wanted);
  void Return(size_t member);
  bool Has(const Wanted& wanted) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasOther(size_t member) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result RunOn(size_t member, CudaRunRequest* request, const std::function<void(v1::CudaJob*)>& at_last);
  // Notes how a job ended. Whether another device is to be asked.
  bool Doubt(size_t member, const Result& result);
  // Notes what another device made of the same job. Whether that is better, and what counts.
  bool PreferSecond(size_t member, const Result& first, size_t other, const Result& second);
  void Retire(size_t member, size_t other, const Result& first) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::vector<Member> members_;
  mutable absl::Mutex mutex_;
  std::vector<size_t> free_ ABSL_GUARDED_BY(mutex_);
  std::vector<Conduct> conduct_ ABSL_GUARDED_BY(mutex_);  // parallel to members_
};

}  // namespace tune
