/*
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S0]@1.tile_size_1 = 32
k[S0]@1.block_size_1 = 32
k[S0]@1.tile_size_0 = 8
k[S0]@1.block_size_0 = 8
k[S0]@1.shared = off
k[S1]@1.tile_size_1 = 32
k[S1]@1.block_size_1 = 32
k[S1]@1.tile_size_0 = 8
k[S1]@1.block_size_0 = 8
k[S1]@1.shared = off
launches = one_block
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static __device__ __forceinline__ void
smooth_kernel0(const double (*A)[120], double (*B)[120], const int tune_h0, const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 118 && tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 118) {
    B[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = 0.2 * (A[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] + A[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0 - 1] + A[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0 + 1] + A[tune_t1 + 8 * tune_b1 + 1][tune_t0 + 32 * tune_b0] + A[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0]);
  }
}

static __device__ __forceinline__ void
smooth_kernel1(double (*A)[120], const double (*B)[120], const int tune_h0, const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 118 && tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 118) {
    A[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = 0.2 * (B[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] + B[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0 - 1] + B[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0 + 1] + B[tune_t1 + 8 * tune_b1 + 1][tune_t0 + 32 * tune_b0] + B[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0]);
  }
}

extern "C" __global__ void __launch_bounds__(1024)
smooth_persistent(double (*A)[120], double (*B)[120]) {
  for (int tune_c0 = 0; tune_c0 <= 19; tune_c0 += 1) {
    for (unsigned tune_turn = threadIdx.x / 256; tune_turn < 4 * 15; tune_turn += 4)
      smooth_kernel0(A, B, tune_c0, make_uint3(tune_turn % 4, tune_turn / 4, 0), make_uint3(threadIdx.x % 256 % 32, threadIdx.x % 256 / 32, 0));
    __syncthreads();
    for (unsigned tune_turn = threadIdx.x / 256; tune_turn < 4 * 15; tune_turn += 4)
      smooth_kernel1(A, B, tune_c0, make_uint3(tune_turn % 4, tune_turn / 4, 0), make_uint3(threadIdx.x % 256 % 32, threadIdx.x % 256 / 32, 0));
    __syncthreads();
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
  void *arguments[] = {(void *)&memory[0], (void *)&memory[1]};
  const struct tune_launch one = {0, {1, 1, 1}, {1024, 1, 1}, arguments};
  launch(context, &one);
}

}  // namespace

static void smooth_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "smooth: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void smooth_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)smooth_persistent};
  static const size_t shared_bytes[] = {0};
  smooth_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double smooth_microseconds[1];
static long smooth_launches[1];

static void smooth_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  smooth_launch(0, launch);
  cudaEventRecord(event[1]);
  smooth_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  smooth_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++smooth_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t smooth_bytes[] = {115200, 115200};
static const bool smooth_in[] = {true, true};
static const bool smooth_out[] = {true, true};

static void smooth_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 2; ++i)
    if (smooth_in[i])
      smooth_check(cudaMemcpy(memory[i], arrays[i], smooth_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_smooth(void *const *arrays) {
  void *memory[2] = {};
  for (int i = 0; i < 2; ++i)
    if (smooth_bytes[i] > 0) smooth_check(cudaMalloc(&memory[i], smooth_bytes[i]), "allocate device memory");
  smooth_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, smooth_launch, 0);
  smooth_copy_in(memory, arrays);
  tune_plan(memory, arrays, smooth_timed_launch, events);
  for (int i = 0; i < 1; ++i)
    fprintf(stderr, "smooth: kernel %d: %.3f us in %ld launches\n", i, smooth_microseconds[i], smooth_launches[i]);
  for (int i = 0; i < 5; ++i) {
    smooth_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, smooth_launch, 0);
    cudaEventRecord(events[1]);
    smooth_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "smooth: %.3f us\n", 1e3 * milliseconds);
  }
  smooth_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, smooth_launch, 0);
  smooth_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 2; ++i) {
    if (smooth_out[i])
      smooth_check(cudaMemcpy(arrays[i], memory[i], smooth_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
