#include "common/space/cuda_device_options.h"

#include <algorithm>

#include "common/device/compute_capability.h"

namespace tune {
namespace {

// Proto's 0 is what was not told.
template <typename Told, typename Fact>
void Take(Told told, Fact* fact) {
  if (told > 0) *fact = static_cast<Fact>(told);
}

}  // namespace

DeviceFacts FactsOf(const v1::Device& device) {
  const v1::CudaDevice& cuda = device.cuda();
  DeviceFacts facts =
      FactsOfComputeCapability(cuda.compute_capability_major(), cuda.compute_capability_minor());
  Take(device.cores(), &facts.multiprocessors);
  Take(cuda.max_threads_per_block(), &facts.max_threads_per_block);
  Take(cuda.max_threads_per_multiprocessor(), &facts.max_threads_per_multiprocessor);
  Take(cuda.max_blocks_per_multiprocessor(), &facts.max_blocks_per_multiprocessor);
  Take(cuda.registers_per_multiprocessor(), &facts.registers_per_multiprocessor);
  Take(cuda.shared_bytes_per_block(), &facts.shared_bytes_per_block);
  Take(cuda.shared_bytes_per_block_optin(), &facts.shared_bytes_per_block_optin);
  facts.shared_bytes_per_block_optin =
      std::max(facts.shared_bytes_per_block, facts.shared_bytes_per_block_optin);
  Take(cuda.shared_bytes_per_multiprocessor(), &facts.shared_bytes_per_multiprocessor);
  Take(cuda.reserved_shared_bytes_per_block(), &facts.reserved_shared_bytes_per_block);
  Take(cuda.l2_bytes(), &facts.l2_bytes);
  // Memory moves data at both edges of its clock.
  const double bandwidth = 2e3 * cuda.memory_clock_khz() * cuda.memory_bus_bits() / 8;
  if (bandwidth > 0) facts.memory_bandwidth = bandwidth;
  facts.cooperative_launch = cuda.cooperative_launch();
  return facts;
}

CudaSpaceOptions CudaOptionsOf(const v1::Device& device, v1::Rounding rounding) {
  CudaSpaceOptions options;
  options.device = FactsOf(device);
  if (device.memory_bytes() > 0) {
    options.max_expansion_bytes = std::min(options.max_expansion_bytes, device.memory_bytes() / 4);
  }
  options.exact = rounding == v1::ROUNDING_EXACT;
  options.products = {.tf32x3 = rounding == v1::ROUNDING_TF32X3, .halves = !options.exact};
  return options;
}

PpcgSpaceOptions PpcgOptionsOf(const v1::Device& device) {
  const DeviceFacts facts = FactsOf(device);
  return {facts.max_threads_per_block, facts.shared_bytes_per_block};
}

}  // namespace tune
