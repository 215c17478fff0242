// One device, ready for work: context, stream, facts.
#pragma once

#include <cstdint>
#include <functional>
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
  int64_t memory_bytes() const { return memory_bytes_; }  // all of the device's
  double clock() const { return clock_; }                 // cycles a second of the multiprocessors, at most

  // Bytes that may still be allocated: what is free, less 5% of all memory and 256 MiB, which the driver
  // needs for local memory, modules and profiling.
  absl::StatusOr<int64_t> FreeBytes() const;
  // The same, after memory that is kept for later has been given up as far as `bytes` need it.
  absl::StatusOr<int64_t> MakeRoom(int64_t bytes) const;
  // Who gives up such memory until so many bytes may be allocated; false when there is none. May be null.
  using Reclaim = std::function<bool(int64_t bytes)>;
  void set_reclaim(Reclaim reclaim) { reclaim_ = std::move(reclaim); }

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
  int64_t memory_bytes_ = 0;
  Reclaim reclaim_;
};

}  // namespace tune
