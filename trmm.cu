/*
expansion = on
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S2].tile_size_1 = 32
k[S2].block_size_1 = 32
k[S2].tile_size_0 = 8
k[S2].block_size_0 = 8
k[S2].shared = off
k[S0,S1].reduction = y
k[S0,S1].block_size_1 = 16
k[S0,S1].tile_size_2 = 16
k[S0,S1].block_size_2 = 16
k[S0,S1].tile_size_0 = 4
k[S0,S1].block_size_0 = 4
k[S0,S1].unroll = 4
launches = separate
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(256)
trmm_kernel0(const double (*__restrict__ B)[120], double (*__restrict__ B_copies)[120]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 99 && tune_t0 + 32 * tune_b0 <= 119) {
    B_copies[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = B[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(1024)
trmm_kernel1(const double (*__restrict__ A)[100], double (*__restrict__ B)[120], const double alpha, const double (*__restrict__ B_copies)[120]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = blockIdx.z;
  const int tune_t2 = threadIdx.z;
  double B_registers;
  double B_partial1 = 0;
  if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 119) {
    B_registers = B[tune_t2 + 4 * tune_b2][tune_t0 + 16 * tune_b0];
  }
  if (tune_t0 + 16 * tune_b0 <= 119) {
#pragma unroll 4
    for (int tune_c0 = tune_t1 + 16 * ((tune_t2 + 4 * tune_b2 - tune_t1 + 16) / 16); tune_c0 <= 99; tune_c0 += 16) {
      B_partial1 += A[tune_c0][tune_t2 + 4 * tune_b2] * B_copies[tune_c0][tune_t0 + 16 * tune_b0];
    }
  }
  {
    __shared__ double tune_r_scratch[1024];
    __syncthreads();
    tune_r_scratch[threadIdx.x + 16 * threadIdx.z + 64 * threadIdx.y] = B_partial1;
    __syncthreads();
    if (threadIdx.y == 0) {
#pragma unroll
      for (int tune_r_n = 1; tune_r_n < 16; ++tune_r_n) {
        const double tune_r_other = tune_r_scratch[threadIdx.x + 16 * threadIdx.z + 64 * tune_r_n];
        B_partial1 += tune_r_other;
      }
    }
  }
  if (tune_t2 + 4 * tune_b2 <= 98 && tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 119) {
    B_registers += B_partial1;
  }
  if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 119) {
    B_registers *= alpha;
  }
  if (tune_t1 == 0 && tune_t0 + 16 * tune_b0 <= 119) {
    B[tune_t2 + 4 * tune_b2][tune_t0 + 16 * tune_b0] = B_registers;
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
    void *arguments[] = {(void *)&memory[1], (void *)&memory[3]};
    const struct tune_launch one = {0, {4, 13, 1}, {32, 8, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[0], (void *)&memory[1], (void *)host[2], (void *)&memory[3]};
    const struct tune_launch one = {1, {8, 1, 25}, {16, 16, 4}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void trmm_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "trmm: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void trmm_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)trmm_kernel0, (const void *)trmm_kernel1};
  static const size_t shared_bytes[] = {0, 0};
  trmm_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double trmm_microseconds[2];
static long trmm_launches[2];

static void trmm_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  trmm_launch(0, launch);
  cudaEventRecord(event[1]);
  trmm_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  trmm_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++trmm_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t trmm_bytes[] = {80000, 96000, 0, 96000};
static const bool trmm_in[] = {true, true, false, false};
static const bool trmm_out[] = {false, true, false, false};

static void trmm_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 4; ++i)
    if (trmm_in[i])
      trmm_check(cudaMemcpy(memory[i], arrays[i], trmm_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_trmm(void *const *arrays) {
  void *memory[4] = {};
  for (int i = 0; i < 4; ++i)
    if (trmm_bytes[i] > 0) trmm_check(cudaMalloc(&memory[i], trmm_bytes[i]), "allocate device memory");
  trmm_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, trmm_launch, 0);
  trmm_copy_in(memory, arrays);
  tune_plan(memory, arrays, trmm_timed_launch, events);
  for (int i = 0; i < 2; ++i)
    fprintf(stderr, "trmm: kernel %d: %.3f us in %ld launches\n", i, trmm_microseconds[i], trmm_launches[i]);
  for (int i = 0; i < 5; ++i) {
    trmm_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, trmm_launch, 0);
    cudaEventRecord(events[1]);
    trmm_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "trmm: %.3f us\n", 1e3 * milliseconds);
  }
  trmm_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, trmm_launch, 0);
  trmm_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 4; ++i) {
    if (trmm_out[i])
      trmm_check(cudaMemcpy(arrays[i], memory[i], trmm_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
