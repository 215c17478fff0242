/*
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S1].reduction = y
k[S1].block_size_0 = 64
k[S1].tile_size_1 = 16
k[S1].block_size_1 = 16
k[S1].unroll = 4
k[S0].reduction = x
k[S0].block_size_1 = 128
k[S0].tile_size_0 = 2
k[S0].block_size_0 = 2
k[S0].unroll = 4
launches = separate
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(1024)
mvt_kernel0(const double (*__restrict__ A)[400], const double *__restrict__ y2, double *__restrict__ x2) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_t1 = threadIdx.y;
  double x2_partial0 = 0;
#pragma unroll 4
  for (int tune_c0 = tune_t1; tune_c0 <= 399; tune_c0 += 64) {
    x2_partial0 += A[tune_c0][tune_t0 + 16 * tune_b0] * y2[tune_c0];
  }
  {
    __shared__ double tune_r_scratch[1024];
    __syncthreads();
    tune_r_scratch[threadIdx.x + 16 * threadIdx.y] = x2_partial0;
    __syncthreads();
    if (threadIdx.y == 0) {
#pragma unroll
      for (int tune_r_n = 1; tune_r_n < 64; ++tune_r_n) {
        const double tune_r_other = tune_r_scratch[threadIdx.x + 16 * tune_r_n];
        x2_partial0 += tune_r_other;
      }
    }
  }
  if (tune_t1 == 0) {
    x2[tune_t0 + 16 * tune_b0] += x2_partial0;
  }
}

extern "C" __global__ void __launch_bounds__(256)
mvt_kernel1(const double (*__restrict__ A)[400], const double *__restrict__ y1, double *__restrict__ x1) {
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  double x1_partial0 = 0;
#pragma unroll 4
  for (int tune_c0 = tune_t0; tune_c0 <= 399; tune_c0 += 128) {
    x1_partial0 += A[tune_t1 + 2 * tune_b1][tune_c0] * y1[tune_c0];
  }
  {
    __shared__ double tune_r_scratch[8];
#pragma unroll
    for (int tune_r_distance = 16; tune_r_distance > 0; tune_r_distance /= 2) {
      const double tune_r_other = __shfl_xor_sync(0xffffffffu, x1_partial0, tune_r_distance);
      x1_partial0 += tune_r_other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) tune_r_scratch[threadIdx.y + 2 * (threadIdx.x / 32)] = x1_partial0;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
      for (int tune_r_n = 1; tune_r_n < 4; ++tune_r_n) {
        const double tune_r_other = tune_r_scratch[threadIdx.y + 2 * tune_r_n];
        x1_partial0 += tune_r_other;
      }
    }
  }
  if (tune_t0 == 0) {
    x1[tune_t1 + 2 * tune_b1] += x1_partial0;
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
    void *arguments[] = {(void *)&memory[0], (void *)&memory[3], (void *)&memory[4]};
    const struct tune_launch one = {0, {25, 1, 1}, {16, 64, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[0], (void *)&memory[1], (void *)&memory[2]};
    const struct tune_launch one = {1, {1, 200, 1}, {128, 2, 1}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void mvt_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "mvt: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void mvt_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)mvt_kernel0, (const void *)mvt_kernel1};
  static const size_t shared_bytes[] = {0, 0};
  mvt_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double mvt_microseconds[2];
static long mvt_launches[2];

static void mvt_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  mvt_launch(0, launch);
  cudaEventRecord(event[1]);
  mvt_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  mvt_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++mvt_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t mvt_bytes[] = {1280000, 3200, 3200, 3200, 3200};
static const bool mvt_in[] = {true, true, true, true, true};
static const bool mvt_out[] = {false, false, true, false, true};

static void mvt_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 5; ++i)
    if (mvt_in[i])
      mvt_check(cudaMemcpy(memory[i], arrays[i], mvt_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_mvt(void *const *arrays) {
  void *memory[5] = {};
  for (int i = 0; i < 5; ++i)
    if (mvt_bytes[i] > 0) mvt_check(cudaMalloc(&memory[i], mvt_bytes[i]), "allocate device memory");
  mvt_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, mvt_launch, 0);
  mvt_copy_in(memory, arrays);
  tune_plan(memory, arrays, mvt_timed_launch, events);
  for (int i = 0; i < 2; ++i)
    fprintf(stderr, "mvt: kernel %d: %.3f us in %ld launches\n", i, mvt_microseconds[i], mvt_launches[i]);
  for (int i = 0; i < 5; ++i) {
    mvt_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, mvt_launch, 0);
    cudaEventRecord(events[1]);
    mvt_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "mvt: %.3f us\n", 1e3 * milliseconds);
  }
  mvt_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, mvt_launch, 0);
  mvt_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 5; ++i) {
    if (mvt_out[i])
      mvt_check(cudaMemcpy(arrays[i], memory[i], mvt_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
