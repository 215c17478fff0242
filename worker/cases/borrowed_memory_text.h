// Memory that a CUDA file with cases has for a call.
#pragma once

namespace tune {

constexpr char kBorrowedMemory[] =
    R"(// Memory for a call, of a pool that keeps what is given back.
cudaError_t Borrow(const Machine &machine, size_t bytes, cudaStream_t stream, void **memory) {
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t> pools;  // by device
  const std::lock_guard<std::mutex> lock(mutex);
  if (pools.count(machine.device) == 0) {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = machine.device;
    cudaMemPool_t pool = 0;
    cudaError_t error = cudaMemPoolCreate(&pool, &properties);
    unsigned long long kept = ~0ull;
    if (error != cudaSuccess) return error;
    error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    if (error != cudaSuccess) {
      cudaMemPoolDestroy(pool);
      return error;
    }
    pools[machine.device] = pool;
  }
  return cudaMallocFromPoolAsync(memory, bytes, pools[machine.device], stream);
}

)";

}  // namespace tune
