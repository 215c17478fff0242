// The arrays of several studies on the device, so that studies can take turns.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "worker/cuda/region_run.h"

namespace tune {

// Keeps the arrays of the studies that were used last: of the idle ones no more than fit in half of the
// device's memory, seven at most, and all idle ones give way to whoever needs memory
// (DeviceSession::MakeRoom), the least recently used one first. One thread.
class KeptArrays {
 public:
  // Of one study, and runs on them.
  struct Study {
    std::string key;
    std::optional<RegionArrays> arrays;
    std::optional<RegionRun> run;
  };

  // `kernels` may be null. Both outlive this object.
  KeptArrays(DeviceSession* session, const UtilityKernels* kernels);
  ~KeptArrays();
  KeptArrays(const KeptArrays&) = delete;
  KeptArrays& operator=(const KeptArrays&) = delete;

  // Those of the job, which are not idle until the next call: kept from another job with its arrays_key, or
  // read from its files, with the errors of RegionArrays::Load. Nothing is kept under an empty key.
  absl::StatusOr<Study*> Use(const v1::CudaJob& job);

  // Frees those that were used last: their state is not known.
  void ForgetUsed();

  // Frees idle arrays until `bytes` more can be allocated. False when none was freed.
  bool FreeIdle(int64_t bytes);
  // Frees all of them.
  bool FreeIdle();

 private:
  absl::StatusOr<std::unique_ptr<Study>> Load(const v1::CudaJob& job) const;
  void FreeLast() { studies_.pop_back(); }
  bool HasIdle() const { return studies_.size() > (used_ ? 1 : 0); }
  void KeepToLimits();

  DeviceSession* const session_;
  const UtilityKernels* const kernels_;
  // Most recently used first. While a job's arrays are being read, none is in use.
  std::list<std::unique_ptr<Study>> studies_;
  bool used_ = false;  // the first one is in use
};

}  // namespace tune
