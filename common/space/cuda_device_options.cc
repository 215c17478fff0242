#include "common/space/cuda_device_options.h"

#include <algorithm>

namespace tune {

CudaSpaceOptions CudaOptionsOf(const v1::Device& device, bool exact) {
  CudaSpaceOptions options;
  const v1::CudaDevice& cuda = device.cuda();
  if (device.cores() > 0) options.multiprocessors = device.cores();
  if (cuda.max_threads_per_block() > 0) options.max_threads = cuda.max_threads_per_block();
  if (cuda.shared_bytes_per_block() > 0) options.max_shared_bytes = cuda.shared_bytes_per_block();
  options.opt_in_shared_bytes = std::max(options.max_shared_bytes, cuda.shared_bytes_per_block_optin());
  if (cuda.shared_bytes_per_multiprocessor() > 0) {
    options.multiprocessor_shared_bytes = cuda.shared_bytes_per_multiprocessor();
  }
  if (device.memory_bytes() > 0) {
    options.max_expansion_bytes = std::min(options.max_expansion_bytes, device.memory_bytes() / 4);
  }
  options.exact = exact;
  return options;
}

PpcgSpaceOptions PpcgOptionsOf(const v1::Device& device) {
  const CudaSpaceOptions cuda = CudaOptionsOf(device);
  return {cuda.max_threads, cuda.max_shared_bytes};
}

}  // namespace tune
