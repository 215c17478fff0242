#include "worker/generate/compute_capability.h"

#include "absl/strings/str_join.h"
#include "common/device/compute_capability.h"

namespace tune {
namespace {

std::string NameOf(const std::pair<int, int>& capability) {
  return absl::StrCat("sm_", capability.first, capability.second);
}

v1::Device DeviceOf(const std::pair<int, int>& capability) {
  const DeviceFacts facts = FactsOfComputeCapability(capability.first, capability.second);
  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_model(NameOf(capability));
  device.set_cores(facts.multiprocessors);
  v1::CudaDevice& cuda = *device.mutable_cuda();
  cuda.set_compute_capability_major(capability.first);
  cuda.set_compute_capability_minor(capability.second);
  cuda.set_max_threads_per_block(facts.max_threads_per_block);
  cuda.set_max_threads_per_multiprocessor(facts.max_threads_per_multiprocessor);
  cuda.set_max_blocks_per_multiprocessor(facts.max_blocks_per_multiprocessor);
  cuda.set_registers_per_multiprocessor(static_cast<int>(facts.registers_per_multiprocessor));
  cuda.set_shared_bytes_per_block(facts.shared_bytes_per_block);
  cuda.set_shared_bytes_per_block_optin(facts.shared_bytes_per_block_optin);
  cuda.set_shared_bytes_per_multiprocessor(facts.shared_bytes_per_multiprocessor);
  cuda.set_reserved_shared_bytes_per_block(facts.reserved_shared_bytes_per_block);
  cuda.set_l2_bytes(facts.l2_bytes);
  cuda.set_cooperative_launch(facts.cooperative_launch);
  return device;
}

}  // namespace

std::vector<std::string> KnownArchitectures() {
  std::vector<std::string> names;
  for (const auto& capability : KnownComputeCapabilities()) names.push_back(NameOf(capability));
  return names;
}

absl::StatusOr<v1::Device> DeviceOfArchitecture(const std::string& architecture, int multiprocessors) {
  for (const auto& capability : KnownComputeCapabilities()) {
    if (NameOf(capability) != architecture) continue;
    v1::Device device = DeviceOf(capability);
    if (multiprocessors > 0) device.set_cores(multiprocessors);
    return device;
  }
  return absl::InvalidArgumentError(absl::StrCat("--arch ", architecture, ": not known; give one of ",
                                                 absl::StrJoin(KnownArchitectures(), ", ")));
}

}  // namespace tune
