// CUDA devices of several generations, as their drivers describe them.
#pragma once

#include <string>
#include <vector>

#include "common/space/cuda_device_options.h"
#include "tune/v1/device.pb.h"

namespace tune::testing {

// What drivers tell of all devices of today.
inline v1::Device CudaDeviceModel(const std::string& model, int major, int minor, int multiprocessors) {
  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_model(model);
  device.set_cores(multiprocessors);
  v1::CudaDevice& cuda = *device.mutable_cuda();
  cuda.set_compute_capability_major(major);
  cuda.set_compute_capability_minor(minor);
  cuda.set_max_threads_per_block(1024);
  cuda.set_max_threads_per_multiprocessor(2048);
  cuda.set_max_blocks_per_multiprocessor(32);
  cuda.set_registers_per_multiprocessor(65536);
  cuda.set_shared_bytes_per_block(48 << 10);
  cuda.set_cooperative_launch(true);
  return device;
}

inline v1::Device P100() {
  v1::Device device = CudaDeviceModel("Tesla P100-SXM2-16GB", 6, 0, 56);
  device.set_memory_bytes(int64_t{16} << 30);
  v1::CudaDevice& cuda = *device.mutable_cuda();
  cuda.set_shared_bytes_per_block_optin(48 << 10);
  cuda.set_shared_bytes_per_multiprocessor(64 << 10);
  cuda.set_l2_bytes(4 << 20);
  cuda.set_memory_clock_khz(715'000);
  cuda.set_memory_bus_bits(4096);
  return device;
}

inline v1::Device T4() {
  v1::Device device = CudaDeviceModel("Tesla T4", 7, 5, 40);
  device.set_memory_bytes(int64_t{15} << 30);
  v1::CudaDevice& cuda = *device.mutable_cuda();
  cuda.set_max_threads_per_multiprocessor(1024);
  cuda.set_max_blocks_per_multiprocessor(16);
  cuda.set_shared_bytes_per_block_optin(64 << 10);
  cuda.set_shared_bytes_per_multiprocessor(64 << 10);
  cuda.set_l2_bytes(4 << 20);
  cuda.set_memory_clock_khz(5'001'000);
  cuda.set_memory_bus_bits(256);
  return device;
}

inline v1::Device A100() {
  v1::Device device = CudaDeviceModel("NVIDIA A100-SXM4-40GB", 8, 0, 108);
  device.set_memory_bytes(int64_t{40} << 30);
  v1::CudaDevice& cuda = *device.mutable_cuda();
  cuda.set_shared_bytes_per_block_optin(163 << 10);
  cuda.set_shared_bytes_per_multiprocessor(164 << 10);
  cuda.set_reserved_shared_bytes_per_block(1 << 10);
  cuda.set_l2_bytes(40 << 20);
  cuda.set_memory_clock_khz(1'215'000);
  cuda.set_memory_bus_bits(5120);
  return device;
}

inline v1::Device H200() {
  v1::Device device = CudaDeviceModel("NVIDIA H200", 9, 0, 132);
  device.set_memory_bytes(int64_t{140} << 30);
  v1::CudaDevice& cuda = *device.mutable_cuda();
  cuda.set_shared_bytes_per_block_optin(227 << 10);
  cuda.set_shared_bytes_per_multiprocessor(228 << 10);
  cuda.set_reserved_shared_bytes_per_block(1 << 10);
  cuda.set_l2_bytes(60 << 20);
  cuda.set_memory_clock_khz(3'201'000);
  cuda.set_memory_bus_bits(6144);
  return device;
}

// Pascal, Turing, Ampere, Hopper.
inline std::vector<v1::Device> DeviceModels() { return {P100(), T4(), A100(), H200()}; }

// Of tests to which it does not matter which device it is.
inline CudaSpaceOptions H200Options() { return CudaOptionsOf(H200()); }

}  // namespace tune::testing
