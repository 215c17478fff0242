#include "worker/cuda/device_session.h"

#include <algorithm>

#include "common/evaluation/architecture.h"
#include "worker/cuda/device_query.h"

namespace tune {

absl::StatusOr<std::unique_ptr<DeviceSession>> DeviceSession::Open(int ordinal) {
  const v1::CudaDevices devices = QueryDevices();
  if (!devices.trouble().empty()) return absl::NotFoundError(devices.trouble());
  if (ordinal < 0 || ordinal >= devices.devices_size()) {
    return absl::NotFoundError(absl::StrCat("there is no device ", ordinal, ": this host has ",
                                            devices.devices_size(), ", counted from 0"));
  }
  const v1::Device& device = devices.devices(ordinal);
  const v1::CudaDevice& facts = device.cuda();
  std::unique_ptr<DeviceSession> session(new DeviceSession);
  TUNE_ASSIGN_OR_RETURN(session->driver_, DriverApi::Get());
  session->ordinal_ = ordinal;
  session->multiprocessors_ = device.cores();
  session->architecture_ = ArchitectureOf(device);
  session->uuid_ = facts.uuid();
  session->memory_bandwidth_ = 2e3 * facts.memory_clock_khz() * facts.memory_bus_bits() / 8;
  session->clock_ = 1e3 * facts.clock_khz();
  session->memory_bytes_ = device.memory_bytes();

  const DriverApi& driver = *session->driver_;
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuDeviceGet(&session->device_, ordinal), "cuDeviceGet"));
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuDevicePrimaryCtxRetain(&session->context_, session->device_),
                                    "cuDevicePrimaryCtxRetain"));
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuCtxSetCurrent(session->context_), "cuCtxSetCurrent"));
  TUNE_RETURN_IF_ERROR(
      driver.Check(driver.cuStreamCreate(&session->stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate"));
  return session;
}

absl::StatusOr<int64_t> DeviceSession::FreeBytes() const {
  size_t available = 0, total = 0;
  TUNE_RETURN_IF_ERROR(Check(driver_->cuMemGetInfo(&available, &total), "cuMemGetInfo"));
  const int64_t reserve = static_cast<int64_t>(total / 20) + (int64_t{256} << 20);
  return std::max<int64_t>(0, static_cast<int64_t>(available) - reserve);
}

absl::StatusOr<int64_t> DeviceSession::MakeRoom(int64_t bytes) const {
  TUNE_ASSIGN_OR_RETURN(const int64_t available, FreeBytes());
  if (available >= bytes || !reclaim_ || !reclaim_(bytes)) return available;
  return FreeBytes();
}

absl::Status DeviceSession::Synchronize() const {
  return Check(driver_->cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

}  // namespace tune
