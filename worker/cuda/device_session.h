// One device, ready for work: context, stream, facts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "worker/cuda/driver_api.h"

namespace tune {

// Everything is done on one stream of the device's primary context, by one thread. The context is left to the
// end of the process: after a candidate's fault it could not be closed in an orderly way.
class DeviceSession {
 public:
  // Makes the context current for the calling thread. Errors of DriverApi::Get; NOT_FOUND: no such device.
  static absl::StatusOr<std::unique_ptr<DeviceSession>> Open(int ordinal);

  const DriverApi& driver() const { return *driver_; }
  CUdevice device() const { return device_; }
  CUcontext context() const { return context_; }
  CUstream stream() const { return stream_; }
  int ordinal() const { return ordinal_; }
  int multiprocessors() const { return multiprocessors_; }
  const std::string& architecture() const { return architecture_; }  // "sm_90"
  const std::string& uuid() const { return uuid_; }                  // "GPU-..."
  // Of the device memory, in bytes a second: twice the memory's clock (both edges) times the bus's width.
  double memory_bandwidth() const { return memory_bandwidth_; }
  double clock() const { return clock_; }  // cycles a second of the multiprocessors, at most

  // Bytes that may still be allocated: what is free, less 5% of all memory and 256 MiB, which the driver
  // needs for local memory, modules and profiling.
  absl::StatusOr<int64_t> FreeBytes() const;

  // Waits for all work on the stream, without a limit: only for work of our own.
  absl::Status Synchronize() const;

  absl::Status Check(CUresult result, absl::string_view what) const { return driver_->Check(result, what); }

 private:
  DeviceSession() = default;
  const DriverApi* driver_ = nullptr;
  int ordinal_ = 0;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  int multiprocessors_ = 0;
  std::string architecture_, uuid_;
  double memory_bandwidth_ = 0, clock_ = 0;
};

}  // namespace tune
