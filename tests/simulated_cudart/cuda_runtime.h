// What C++ has besides cuda_runtime_api.h.
#pragma once

#include <cuda_runtime_api.h>

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct int2 {
  int x, y;
};
struct cudaChannelFormatDesc {
  int bits;
};
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {8 * static_cast<int>(sizeof(T))};
}
enum cudaResourceType { cudaResourceTypeLinear = 2 };
enum cudaTextureReadMode { cudaReadModeElementType = 0 };
struct cudaResourceDesc {
  cudaResourceType resType;
  struct {
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
  } res;
};
struct cudaTextureDesc {
  cudaTextureReadMode readMode;
};
typedef unsigned long long cudaTextureObject_t;

extern "C" {
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const void *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
}
