#include "worker/cuda/device_query.h"

#include "absl/strings/escaping.h"
#include "worker/cuda/driver_api.h"
#include "worker/cuda/nvrtc_api.h"

namespace tune {
namespace {

// "GPU-8f7b3d2a-....", as nvidia-smi -L writes it.
std::string UuidText(const CUuuid& uuid) {
  const std::string hex = absl::BytesToHexString(absl::string_view(uuid.bytes, sizeof(uuid.bytes)));
  return absl::StrCat("GPU-", hex.substr(0, 8), "-", hex.substr(8, 4), "-", hex.substr(12, 4), "-",
                      hex.substr(16, 4), "-", hex.substr(20));
}

absl::StatusOr<v1::Device> QueryDevice(const DriverApi& driver, int ordinal) {
  CUdevice handle = 0;
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuDeviceGet(&handle, ordinal), "cuDeviceGet"));
  absl::Status status;
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    const CUresult result = driver.cuDeviceGetAttribute(&value, which, handle);
    if (status.ok()) status = driver.Check(result, absl::StrCat("cuDeviceGetAttribute(", which, ")"));
    return value;
  };
  // Those that drivers of CUDA 10 do not know: 0.
  const auto newer_attribute = [&](CUdevice_attribute which) {
    int value = 0;
    return driver.cuDeviceGetAttribute(&value, which, handle) == CUDA_SUCCESS ? value : 0;
  };
  char name[256] = "";
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuDeviceGetName(name, sizeof(name), handle), "cuDeviceGetName"));
  size_t memory = 0;
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuDeviceTotalMem(&memory, handle), "cuDeviceTotalMem"));
  CUuuid uuid = {};
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuDeviceGetUuid(&uuid, handle), "cuDeviceGetUuid"));
  int version = 0;
  TUNE_RETURN_IF_ERROR(driver.Check(driver.cuDriverGetVersion(&version), "cuDriverGetVersion"));

  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_model(name);
  device.set_cores(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  device.set_memory_bytes(static_cast<int64_t>(memory));
  v1::CudaDevice* cuda = device.mutable_cuda();
  cuda->set_ordinal(ordinal);
  cuda->set_uuid(UuidText(uuid));
  cuda->set_compute_capability_major(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  cuda->set_compute_capability_minor(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  cuda->set_max_threads_per_block(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  cuda->set_max_threads_per_multiprocessor(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
  cuda->set_registers_per_multiprocessor(attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR));
  cuda->set_shared_bytes_per_block(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  cuda->set_shared_bytes_per_block_optin(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  cuda->set_shared_bytes_per_multiprocessor(
      attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  cuda->set_max_blocks_per_multiprocessor(newer_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
  cuda->set_reserved_shared_bytes_per_block(
      newer_attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
  cuda->set_l2_bytes(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  cuda->set_clock_khz(attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  cuda->set_memory_clock_khz(attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE));
  cuda->set_memory_bus_bits(attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
  cuda->set_driver_version(version);
  cuda->set_cooperative_launch(attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0);
  TUNE_RETURN_IF_ERROR(status);
  return device;
}

absl::StatusOr<v1::CudaDevices> QueryAll() {
  TUNE_ASSIGN_OR_RETURN(const DriverApi* driver, DriverApi::Get());
  int count = 0;
  TUNE_RETURN_IF_ERROR(driver->Check(driver->cuDeviceGetCount(&count), "cuDeviceGetCount"));
  if (count == 0) return absl::NotFoundError("the NVIDIA driver sees no device: see what nvidia-smi says");
  v1::CudaDevices devices;
  const absl::StatusOr<const NvrtcApi*> nvrtc = NvrtcApi::Get();
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    TUNE_ASSIGN_OR_RETURN(v1::Device device, QueryDevice(*driver, ordinal));
    if (nvrtc.ok()) device.set_compiler((*nvrtc)->VersionText());
    *devices.add_devices() = std::move(device);
  }
  return devices;
}

}  // namespace

v1::CudaDevices QueryDevices() {
  absl::StatusOr<v1::CudaDevices> devices = QueryAll();
  if (devices.ok()) return *std::move(devices);
  v1::CudaDevices none;
  none.set_trouble(std::string(devices.status().message()));
  return none;
}

}  // namespace tune
