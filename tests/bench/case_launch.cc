// How long the host takes for a call of a file with cases, on memory of the device, that CUDA itself does
// not: which of the file's programs, formats and parts runs. CUDA's functions do nothing here but count
// launches. case_choice.py compiles it with HOST_FILE, the host's part of such a file, NAME of its region,
// and SIZES, rows of sizes as its calls are told them. Prints nanoseconds of a call over its launches, on
// average over all sizes and where it takes longest.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

extern "C" {
static long launches;
static char memory[64];
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  // Of an H200.
  *value = attribute == cudaDevAttrMaxThreadsPerBlock        ? 1024
           : attribute == cudaDevAttrMaxRegistersPerBlock    ? 65536
           : attribute == cudaDevAttrMaxSharedMemoryPerBlock ? 49152
                                                             : 132;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *) {
  return attributes->maxThreadsPerBlock = 1024, cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
  return *pool = (cudaMemPool_t)memory, cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void **made, size_t, cudaMemPool_t, cudaStream_t) {
  return *made = memory, cudaSuccess;
}
cudaError_t cudaFreeAsync(void *, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) {
  return ++launches, cudaSuccess;
}
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) {
  return ++launches, cudaSuccess;
}
// Never called.
const char *cudaGetErrorString(cudaError_t) { return ""; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int) { return cudaErrorInvalidValue; }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaErrorInvalidValue; }
cudaError_t cudaMalloc(void **, size_t) { return cudaErrorInvalidValue; }
cudaError_t cudaFree(void *) { return cudaErrorInvalidValue; }
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t) {
  return cudaErrorInvalidValue;
}
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind,
                              cudaStream_t) {
  return cudaErrorInvalidValue;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned) { return cudaErrorInvalidValue; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaErrorInvalidValue; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaErrorInvalidValue; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *) { return cudaErrorInvalidValue; }
}

#include HOST_FILE

#define TUNE_JOIN_(A, B) A##B
#define TUNE_JOIN(A, B) TUNE_JOIN_(A, B)

// Nanoseconds of a call for each launch.
double Time(void *const *arrays, const long long *sizes) {
  launches = 0;
  const auto begin = std::chrono::steady_clock::now();
  asm volatile("" : "+r"(sizes) : : "memory");  // nothing is known of the call before
  if (TUNE_JOIN(NAME, _on_device)(arrays, sizes, 0) != cudaSuccess) std::exit(1);
  const auto end = std::chrono::steady_clock::now();
  return 1e9 * std::chrono::duration<double>(end - begin).count() / double(launches > 0 ? launches : 1);
}

// `before`: of the call before.
double LeastTime(void *const *arrays, const long long *sizes, const long long *before) {
  double least = 1e30;
  for (int round = 0; round < 200; ++round) {
    Time(arrays, before);
    const double time = Time(arrays, sizes);
    if (time < least) least = time;
  }
  return least;
}

int main() {
  static const long long sizes[][COUNT] = {SIZES};
  enum { kRows = sizeof sizes / sizeof sizes[0] };
  void *arrays[16];
  for (void *&array : arrays) array = memory;
  for (int others = 0; others < 2; ++others) {
    double sum = 0, most = 0;
    for (int row = 0; row < kRows; ++row) {
      const double least = LeastTime(arrays, sizes[row], sizes[(row + others) % kRows]);
      sum += least;
      if (least > most) most = least;
    }
    std::printf("%.1f %.1f\n", sum / kRows, most);
  }
  return 0;
}
