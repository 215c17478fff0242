/*
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S0-S2].reduction = y
k[S0-S2].block_size_0 = 32
k[S0-S2].tile_size_1 = 16
k[S0-S2].block_size_1 = 16
k[S0-S2].unroll = 4
k[S3].tile_size_1 = 32
k[S3].block_size_1 = 32
k[S3].tile_size_0 = 8
k[S3].block_size_0 = 8
k[S3].shared = off
k[S4-S7].reduction = y
k[S4-S7].block_size_1 = 32
k[S4-S7].tile_size_2 = 16
k[S4-S7].block_size_2 = 16
k[S4-S7].tile_size_0 = 2
k[S4-S7].block_size_0 = 2
k[S4-S7].unroll = 4
launches = separate
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(512)
covary_kernel0(double *__restrict__ mean, const double (*__restrict__ data)[90], const double float_n) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_t1 = threadIdx.y;
  double mean_registers;
  double mean_partial1 = 0;
  if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 89) {
    mean_registers = mean[tune_t0 + 16 * tune_b0];
  }
  if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 89) {
    mean_registers = 0.0;
  }
  if (tune_t0 + 16 * tune_b0 <= 89) {
#pragma unroll 4
    for (int tune_c0 = tune_t1; tune_c0 <= 109; tune_c0 += 32) {
      mean_partial1 += data[tune_c0][tune_t0 + 16 * tune_b0];
    }
  }
  {
    __shared__ double tune_r_scratch[512];
    __syncthreads();
    tune_r_scratch[threadIdx.x + 16 * threadIdx.y] = mean_partial1;
    __syncthreads();
    if (threadIdx.y == 0) {
#pragma unroll
      for (int tune_r_n = 1; tune_r_n < 32; ++tune_r_n) {
        const double tune_r_other = tune_r_scratch[threadIdx.x + 16 * tune_r_n];
        mean_partial1 += tune_r_other;
      }
    }
  }
  if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 89) {
    mean_registers += mean_partial1;
    mean_registers = mean_registers / float_n;
  }
  if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 89) {
    mean[tune_t0 + 16 * tune_b0] = mean_registers;
  }
}

extern "C" __global__ void __launch_bounds__(256)
covary_kernel1(const double *__restrict__ mean, double (*__restrict__ data)[90]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  if (tune_t1 + 8 * tune_b1 <= 109 && tune_t0 + 32 * tune_b0 <= 89) {
    data[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] -= mean[tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(1024)
covary_kernel2(const double (*__restrict__ data)[90], const double float_n, double (*__restrict__ cov)[90]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = blockIdx.z;
  const int tune_t2 = threadIdx.z;
  double cov_registers;
  double cov_partial1 = 0;
  if (8 * tune_b0 + 7 >= tune_b2) {
    if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 >= tune_t2 + 2 * tune_b2 && tune_t0 + 16 * tune_b0 <= 89) {
      cov_registers = cov[tune_t2 + 2 * tune_b2][tune_t0 + 16 * tune_b0];
    }
    if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 >= tune_t2 + 2 * tune_b2 && tune_t0 + 16 * tune_b0 <= 89) {
      cov_registers = 0.0;
    }
    if (tune_t0 + 16 * tune_b0 >= tune_t2 + 2 * tune_b2 && tune_t0 + 16 * tune_b0 <= 89) {
#pragma unroll 4
      for (int tune_c0 = tune_t1; tune_c0 <= 109; tune_c0 += 32) {
        cov_partial1 += data[tune_c0][tune_t2 + 2 * tune_b2] * data[tune_c0][tune_t0 + 16 * tune_b0];
      }
    }
    {
      __shared__ double tune_r_scratch[1024];
      __syncthreads();
      tune_r_scratch[threadIdx.x + 16 * threadIdx.z + 32 * threadIdx.y] = cov_partial1;
      __syncthreads();
      if (threadIdx.y == 0) {
#pragma unroll
        for (int tune_r_n = 1; tune_r_n < 32; ++tune_r_n) {
          const double tune_r_other = tune_r_scratch[threadIdx.x + 16 * threadIdx.z + 32 * tune_r_n];
          cov_partial1 += tune_r_other;
        }
      }
    }
    if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 >= tune_t2 + 2 * tune_b2 && tune_t0 + 16 * tune_b0 <= 89) {
      cov_registers += cov_partial1;
      cov_registers = cov_registers / (float_n - 1.0);
      cov[tune_t0 + 16 * tune_b0][tune_t2 + 2 * tune_b2] = cov_registers;
    }
    if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 >= tune_t2 + 2 * tune_b2 && tune_t0 + 16 * tune_b0 <= 89) {
      cov[tune_t2 + 2 * tune_b2][tune_t0 + 16 * tune_b0] = cov_registers;
    }
  }
}

namespace {

struct tune_launch {
  int kernel;
  unsigned grid[3];
  unsigned block[3];
  void **arguments;
};

void tune_plan(void *const *memory, const void *const *host,
               void (*launch)(void *context, const struct tune_launch *launch), void *context);

void tune_plan(void *const *memory, const void *const *host,
               void (*launch)(void *context, const struct tune_launch *launch), void *context) {
  (void)memory;
  (void)host;
  {
    void *arguments[] = {(void *)&memory[0], (void *)&memory[1], (void *)host[2]};
    const struct tune_launch one = {0, {6, 1, 1}, {16, 32, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[0], (void *)&memory[1]};
    const struct tune_launch one = {1, {3, 14, 1}, {32, 8, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[1], (void *)host[2], (void *)&memory[3]};
    const struct tune_launch one = {2, {6, 1, 45}, {16, 32, 2}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void covary_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "covary: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void covary_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)covary_kernel0, (const void *)covary_kernel1, (const void *)covary_kernel2};
  static const size_t shared_bytes[] = {0, 0, 0};
  covary_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double covary_microseconds[3];
static long covary_launches[3];

static void covary_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  covary_launch(0, launch);
  cudaEventRecord(event[1]);
  covary_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  covary_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++covary_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t covary_bytes[] = {720, 79200, 0, 64800};
static const bool covary_in[] = {true, true, false, true};
static const bool covary_out[] = {true, true, false, true};

static void covary_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 4; ++i)
    if (covary_in[i])
      covary_check(cudaMemcpy(memory[i], arrays[i], covary_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_covary(void *const *arrays) {
  void *memory[4] = {};
  for (int i = 0; i < 4; ++i)
    if (covary_bytes[i] > 0) covary_check(cudaMalloc(&memory[i], covary_bytes[i]), "allocate device memory");
  covary_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, covary_launch, 0);
  covary_copy_in(memory, arrays);
  tune_plan(memory, arrays, covary_timed_launch, events);
  for (int i = 0; i < 3; ++i)
    fprintf(stderr, "covary: kernel %d: %.3f us in %ld launches\n", i, covary_microseconds[i], covary_launches[i]);
  for (int i = 0; i < 5; ++i) {
    covary_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, covary_launch, 0);
    cudaEventRecord(events[1]);
    covary_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "covary: %.3f us\n", 1e3 * milliseconds);
  }
  covary_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, covary_launch, 0);
  covary_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 4; ++i) {
    if (covary_out[i])
      covary_check(cudaMemcpy(arrays[i], memory[i], covary_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
