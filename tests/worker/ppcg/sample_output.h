// Files in the format of PPCG 0.09, written for these tests.
#pragma once

#include <string>

namespace tune::testing {

// Two kernels: one of a plain launch, one inside a host loop with a grid that depends on it.
inline constexpr char kSampleKernels[] = R"(#include "region_kernel.hu"
__global__ void kernel0(double *A, double *s, double alpha)
{
    int b0 = blockIdx.x;
    int t0 = threadIdx.x;
    __shared__ double shared_A[32];

    #define ppcg_min(x,y)    ((x) < (y) ? (x) : (y))
    {
      shared_A[t0] = A[32 * b0 + t0];
      __syncthreads();
      A[32 * b0 + t0] = (shared_A[31 - t0] * alpha + *s);
    }
}
__global__ void kernel1(double *A, int c0)
{
    int b0 = blockIdx.y, b1 = blockIdx.x;
    int t0 = threadIdx.y, t1 = threadIdx.x;

    if (t0 == 0 && b0 == 0)
      A[32 * b1 + 16 * t0 + t1] += c0;
}
)";

inline constexpr char kSampleHost[] = R"(#include <assert.h>
#include <stdio.h>
#include "region_kernel.hu"
double s;
void tune_region(double A[static const restrict 96], double alpha)
{
/* tune: begin */
{
  #define ppcg_min(x,y)    ((x) < (y) ? (x) : (y))
  #define cudaCheckReturn(ret) \
    do { \
      cudaError_t cudaCheckReturn_e = (ret); \
      if (cudaCheckReturn_e != cudaSuccess) { \
        fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(cudaCheckReturn_e)); \
        fflush(stderr); \
      } \
      assert(cudaCheckReturn_e == cudaSuccess); \
    } while(0)
  #define cudaCheckKernel() \
    do { \
      cudaCheckReturn(cudaGetLastError()); \
    } while(0)

  double t[96];
  double *dev_A;
  double (*dev_B)[10];
  double *dev_s;

  cudaCheckReturn(cudaMalloc((void **) &dev_A, (96) * sizeof(double)));
  cudaCheckReturn(cudaMalloc((void **) &dev_s, sizeof(double)));

  cudaCheckReturn(cudaMemcpy(dev_A, A, (96) * sizeof(double), cudaMemcpyHostToDevice));
  cudaCheckReturn(cudaMemcpy(dev_s, &s, sizeof(double), cudaMemcpyHostToDevice));
  {
    dim3 k0_dimBlock(32);
    dim3 k0_dimGrid(3);
    kernel0 <<<k0_dimGrid, k0_dimBlock>>> (dev_A, dev_s, alpha);
    cudaCheckKernel();
  }

  for (int c0 = 0; c0 <= 4; c0 += 1)
    if (c0 >= 1) {
      {
        dim3 k1_dimBlock(16, 2);
        dim3 k1_dimGrid(ppcg_min(c0, 3), 2);
        kernel1 <<<k1_dimGrid, k1_dimBlock>>> (dev_A, c0);
        cudaCheckKernel();
      }
    } else {
      ;
    }
  cudaCheckReturn(cudaMemcpy(A, dev_A, (96) * sizeof(double), cudaMemcpyDeviceToHost));
  cudaCheckReturn(cudaFree(dev_A));
  cudaCheckReturn(cudaFree(dev_s));
}
/* tune: end */
}
)";

}  // namespace tune::testing
