/*
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S2,S3].reduction = x
k[S2,S3].block_size_1 = 32
k[S2,S3].tile_size_2 = 8
k[S2,S3].block_size_2 = 8
k[S2,S3].tile_size_0 = 4
k[S2,S3].block_size_0 = 4
k[S2,S3].unroll = 4
k[S0,S1].reduction = x
k[S0,S1].block_size_1 = 32
k[S0,S1].tile_size_2 = 8
k[S0,S1].block_size_2 = 8
k[S0,S1].tile_size_0 = 4
k[S0,S1].block_size_0 = 4
k[S0,S1].unroll = 4
k[S4,S5].reduction = x
k[S4,S5].block_size_1 = 32
k[S4,S5].tile_size_2 = 8
k[S4,S5].block_size_2 = 8
k[S4,S5].tile_size_0 = 4
k[S4,S5].block_size_0 = 4
k[S4,S5].unroll = 4
launches = separate
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(1024)
three_products_kernel0(double (*__restrict__ F)[60], const double (*__restrict__ C)[100], const double (*__restrict__ D)[60]) {
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = blockIdx.z;
  const int tune_t2 = threadIdx.z;
  double F_registers;
  double F_partial1 = 0;
  if (tune_t2 + 4 * tune_b2 <= 69 && tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    F_registers = F[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1];
  }
  if (tune_t2 + 4 * tune_b2 <= 69 && tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    F_registers = 0.0;
  }
  if (tune_t2 + 4 * tune_b2 <= 69 && tune_t1 + 8 * tune_b1 <= 59) {
#pragma unroll 4
    for (int tune_c0 = tune_t0; tune_c0 <= 99; tune_c0 += 32) {
      F_partial1 += C[tune_t2 + 4 * tune_b2][tune_c0] * D[tune_c0][tune_t1 + 8 * tune_b1];
    }
  }
  {
#pragma unroll
    for (int tune_r_distance = 16; tune_r_distance > 0; tune_r_distance /= 2) {
      const double tune_r_other = __shfl_xor_sync(0xffffffffu, F_partial1, tune_r_distance);
      F_partial1 += tune_r_other;
    }
  }
  if (tune_t2 + 4 * tune_b2 <= 69 && tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    F_registers += F_partial1;
  }
  if (tune_t2 + 4 * tune_b2 <= 69 && tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    F[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1] = F_registers;
  }
}

extern "C" __global__ void __launch_bounds__(1024)
three_products_kernel1(double (*__restrict__ E)[70], const double (*__restrict__ A)[90], const double (*__restrict__ B)[70]) {
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = blockIdx.z;
  const int tune_t2 = threadIdx.z;
  double E_registers;
  double E_partial1 = 0;
  if (tune_t1 + 8 * tune_b1 <= 69 && tune_t0 == 0) {
    E_registers = E[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1];
  }
  if (tune_t1 + 8 * tune_b1 <= 69 && tune_t0 == 0) {
    E_registers = 0.0;
  }
  if (tune_t1 + 8 * tune_b1 <= 69) {
#pragma unroll 4
    for (int tune_c0 = tune_t0; tune_c0 <= 89; tune_c0 += 32) {
      E_partial1 += A[tune_t2 + 4 * tune_b2][tune_c0] * B[tune_c0][tune_t1 + 8 * tune_b1];
    }
  }
  {
#pragma unroll
    for (int tune_r_distance = 16; tune_r_distance > 0; tune_r_distance /= 2) {
      const double tune_r_other = __shfl_xor_sync(0xffffffffu, E_partial1, tune_r_distance);
      E_partial1 += tune_r_other;
    }
  }
  if (tune_t1 + 8 * tune_b1 <= 69 && tune_t0 == 0) {
    E_registers += E_partial1;
  }
  if (tune_t1 + 8 * tune_b1 <= 69 && tune_t0 == 0) {
    E[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1] = E_registers;
  }
}

extern "C" __global__ void __launch_bounds__(1024)
three_products_kernel2(const double (*__restrict__ E)[70], const double (*__restrict__ F)[60], double (*__restrict__ G)[60]) {
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = blockIdx.z;
  const int tune_t2 = threadIdx.z;
  double G_registers;
  double G_partial1 = 0;
  if (tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    G_registers = G[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1];
  }
  if (tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    G_registers = 0.0;
  }
  if (tune_t1 + 8 * tune_b1 <= 59) {
#pragma unroll 4
    for (int tune_c0 = tune_t0; tune_c0 <= 69; tune_c0 += 32) {
      G_partial1 += E[tune_t2 + 4 * tune_b2][tune_c0] * F[tune_c0][tune_t1 + 8 * tune_b1];
    }
  }
  {
#pragma unroll
    for (int tune_r_distance = 16; tune_r_distance > 0; tune_r_distance /= 2) {
      const double tune_r_other = __shfl_xor_sync(0xffffffffu, G_partial1, tune_r_distance);
      G_partial1 += tune_r_other;
    }
  }
  if (tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    G_registers += G_partial1;
  }
  if (tune_t1 + 8 * tune_b1 <= 59 && tune_t0 == 0) {
    G[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1] = G_registers;
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
    void *arguments[] = {(void *)&memory[3], (void *)&memory[4], (void *)&memory[5]};
    const struct tune_launch one = {0, {1, 8, 18}, {32, 8, 4}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[0], (void *)&memory[1], (void *)&memory[2]};
    const struct tune_launch one = {1, {1, 9, 20}, {32, 8, 4}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[0], (void *)&memory[3], (void *)&memory[6]};
    const struct tune_launch one = {2, {1, 8, 20}, {32, 8, 4}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void three_products_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "three_products: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void three_products_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)three_products_kernel0, (const void *)three_products_kernel1, (const void *)three_products_kernel2};
  static const size_t shared_bytes[] = {0, 0, 0};
  three_products_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double three_products_microseconds[3];
static long three_products_launches[3];

static void three_products_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  three_products_launch(0, launch);
  cudaEventRecord(event[1]);
  three_products_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  three_products_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++three_products_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t three_products_bytes[] = {44800, 57600, 50400, 33600, 56000, 48000, 38400};
static const bool three_products_in[] = {true, true, true, true, true, true, true};
static const bool three_products_out[] = {true, false, false, true, false, false, true};

static void three_products_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 7; ++i)
    if (three_products_in[i])
      three_products_check(cudaMemcpy(memory[i], arrays[i], three_products_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_three_products(void *const *arrays) {
  void *memory[7] = {};
  for (int i = 0; i < 7; ++i)
    if (three_products_bytes[i] > 0) three_products_check(cudaMalloc(&memory[i], three_products_bytes[i]), "allocate device memory");
  three_products_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, three_products_launch, 0);
  three_products_copy_in(memory, arrays);
  tune_plan(memory, arrays, three_products_timed_launch, events);
  for (int i = 0; i < 3; ++i)
    fprintf(stderr, "three_products: kernel %d: %.3f us in %ld launches\n", i, three_products_microseconds[i], three_products_launches[i]);
  for (int i = 0; i < 5; ++i) {
    three_products_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, three_products_launch, 0);
    cudaEventRecord(events[1]);
    three_products_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "three_products: %.3f us\n", 1e3 * milliseconds);
  }
  three_products_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, three_products_launch, 0);
  three_products_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 7; ++i) {
    if (three_products_out[i])
      three_products_check(cudaMemcpy(arrays[i], memory[i], three_products_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
