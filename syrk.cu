/*
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S0,S1].reduction = x
k[S0,S1].block_size_2 = 32
k[S0,S1].tile_size_1 = 8
k[S0,S1].block_size_1 = 8
k[S0,S1].tile_size_0 = 4
k[S0,S1].block_size_0 = 4
k[S0,S1].unroll = 4
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(1024)
syrk_kernel0(const double beta, double (*__restrict__ C)[120], const double alpha, const double (*__restrict__ A)[110]) {
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = blockIdx.z;
  const int tune_t2 = threadIdx.z;
  double C_registers;
  double C_partial1 = 0;
  if (tune_b2 >= 2 * tune_b1) {
    if (tune_t2 + 4 * tune_b2 >= tune_t1 + 8 * tune_b1 && tune_t0 == 0) {
      C_registers = C[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1];
    }
    if (tune_t2 + 4 * tune_b2 >= tune_t1 + 8 * tune_b1 && tune_t0 == 0) {
      C_registers *= beta;
    }
    if (tune_t2 + 4 * tune_b2 >= tune_t1 + 8 * tune_b1) {
#pragma unroll 4
      for (int tune_c0 = tune_t0; tune_c0 <= 109; tune_c0 += 32) {
        C_partial1 += alpha * A[tune_t2 + 4 * tune_b2][tune_c0] * A[tune_t1 + 8 * tune_b1][tune_c0];
      }
    }
    {
#pragma unroll
      for (int tune_r_distance = 16; tune_r_distance > 0; tune_r_distance /= 2) {
        const double tune_r_other = __shfl_xor_sync(0xffffffffu, C_partial1, tune_r_distance);
        C_partial1 += tune_r_other;
      }
    }
    if (tune_t2 + 4 * tune_b2 >= tune_t1 + 8 * tune_b1 && tune_t0 == 0) {
      C_registers += C_partial1;
    }
    if (tune_t2 + 4 * tune_b2 >= tune_t1 + 8 * tune_b1 && tune_t0 == 0) {
      C[tune_t2 + 4 * tune_b2][tune_t1 + 8 * tune_b1] = C_registers;
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
    void *arguments[] = {(void *)host[0], (void *)&memory[1], (void *)host[2], (void *)&memory[3]};
    const struct tune_launch one = {0, {1, 15, 30}, {32, 8, 4}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void syrk_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "syrk: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void syrk_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)syrk_kernel0};
  static const size_t shared_bytes[] = {0};
  syrk_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double syrk_microseconds[1];
static long syrk_launches[1];

static void syrk_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  syrk_launch(0, launch);
  cudaEventRecord(event[1]);
  syrk_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  syrk_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++syrk_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t syrk_bytes[] = {0, 115200, 0, 105600};
static const bool syrk_in[] = {false, true, false, true};
static const bool syrk_out[] = {false, true, false, false};

static void syrk_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 4; ++i)
    if (syrk_in[i])
      syrk_check(cudaMemcpy(memory[i], arrays[i], syrk_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_syrk(void *const *arrays) {
  void *memory[4] = {};
  for (int i = 0; i < 4; ++i)
    if (syrk_bytes[i] > 0) syrk_check(cudaMalloc(&memory[i], syrk_bytes[i]), "allocate device memory");
  syrk_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, syrk_launch, 0);
  syrk_copy_in(memory, arrays);
  tune_plan(memory, arrays, syrk_timed_launch, events);
  for (int i = 0; i < 1; ++i)
    fprintf(stderr, "syrk: kernel %d: %.3f us in %ld launches\n", i, syrk_microseconds[i], syrk_launches[i]);
  for (int i = 0; i < 5; ++i) {
    syrk_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, syrk_launch, 0);
    cudaEventRecord(events[1]);
    syrk_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "syrk: %.3f us\n", 1e3 * milliseconds);
  }
  syrk_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, syrk_launch, 0);
  syrk_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 4; ++i) {
    if (syrk_out[i])
      syrk_check(cudaMemcpy(arrays[i], memory[i], syrk_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
