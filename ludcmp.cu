/*
expansion = on
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S0].tile_size_1 = 32
k[S0].block_size_1 = 32
k[S0].tile_size_0 = 8
k[S0].block_size_0 = 8
k[S0].shared = off
k[S3].tile_size_1 = 32
k[S3].block_size_1 = 32
k[S3].tile_size_0 = 8
k[S3].block_size_0 = 8
k[S3].shared = off
k[S5]@1.tile_size_0 = 32
k[S5]@1.block_size_0 = 32
k[S5]@1.shared = off
k[S2]@1.tile_size_0 = 32
k[S2]@1.block_size_0 = 32
k[S2]@1.shared = off
k[S4]@1.tile_size_1 = 32
k[S4]@1.block_size_1 = 32
k[S4]@1.tile_size_0 = 8
k[S4]@1.block_size_0 = 8
k[S4]@1.shared = off
k[S1]@1.tile_size_1 = 32
k[S1]@1.block_size_1 = 32
k[S1]@1.tile_size_0 = 8
k[S1]@1.block_size_0 = 8
k[S1]@1.shared = off
k[S6].tile_size_0 = 32
k[S6].block_size_0 = 32
k[S6].shared = off
k[S7]@1.tile_size_0 = 32
k[S7]@1.block_size_0 = 32
k[S7]@1.shared = off
k[S9].tile_size_0 = 32
k[S9].block_size_0 = 32
k[S9].shared = off
k[S10]@1.reduction = x
k[S10]@1.block_size_0 = 64
k[S10]@1.unroll = 4
launches = separate
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(256)
solve_kernel0(const double (*__restrict__ A)[130], double (*__restrict__ w_copies)[129]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  if (tune_t1 + 8 * tune_b1 <= 129 && tune_t1 + 8 * tune_b1 >= tune_t0 + 32 * tune_b0 + 1) {
    w_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0] = A[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(256)
solve_kernel1(const double (*__restrict__ A)[130], double (*__restrict__ w_copies_1)[130]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  if (tune_t0 + 32 * tune_b0 >= tune_t1 + 8 * tune_b1 && tune_t0 + 32 * tune_b0 <= 129) {
    w_copies_1[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = A[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(32)
solve_kernel2(double (*__restrict__ A)[130], const double (*__restrict__ w_copies_1)[130], const int tune_h0, const int tune_f0) {
  const int tune_b0 = blockIdx.x + tune_f0;
  const int tune_t0 = threadIdx.x;
  if (tune_t0 + 32 * tune_b0 >= tune_h0 && tune_t0 + 32 * tune_b0 <= 129) {
    A[tune_h0][tune_t0 + 32 * tune_b0] = w_copies_1[tune_h0][tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(32)
solve_kernel3(double (*__restrict__ A)[130], const double (*__restrict__ w_copies)[129], const int tune_h0, const int tune_f0) {
  const int tune_b0 = blockIdx.x + tune_f0;
  const int tune_t0 = threadIdx.x;
  if (tune_t0 + 32 * tune_b0 >= tune_h0 + 1 && tune_t0 + 32 * tune_b0 <= 129) {
    A[tune_t0 + 32 * tune_b0][tune_h0] = w_copies[tune_t0 + 32 * tune_b0 - 1][tune_h0] / A[tune_h0][tune_h0];
  }
}

extern "C" __global__ void __launch_bounds__(256)
solve_kernel4(const double (*__restrict__ A)[130], double (*__restrict__ w_copies_1)[130], const int tune_h0, const int tune_f0, const int tune_f1) {
  const int tune_b0 = blockIdx.x + tune_f0;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y + tune_f1;
  const int tune_t1 = threadIdx.y;
  if (tune_t1 + 8 * tune_b1 >= tune_h0 + 1 && tune_t0 + 32 * tune_b0 >= tune_t1 + 8 * tune_b1 && tune_t0 + 32 * tune_b0 <= 129) {
    w_copies_1[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] -= A[tune_t1 + 8 * tune_b1][tune_h0] * A[tune_h0][tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(256)
solve_kernel5(const double (*__restrict__ A)[130], double (*__restrict__ w_copies)[129], const int tune_h0, const int tune_f0, const int tune_f1) {
  const int tune_b0 = blockIdx.x + tune_f0;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y + tune_f1;
  const int tune_t1 = threadIdx.y;
  if (tune_t1 + 8 * tune_b1 <= 129 && tune_t0 + 32 * tune_b0 >= tune_h0 + 1 && tune_t1 + 8 * tune_b1 >= tune_t0 + 32 * tune_b0 + 1) {
    w_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0] -= A[tune_t1 + 8 * tune_b1][tune_h0] * A[tune_h0][tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(32)
solve_kernel6(const double *__restrict__ b, double *__restrict__ w_copies_2) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  if (tune_t0 + 32 * tune_b0 <= 129) {
    w_copies_2[tune_t0 + 32 * tune_b0] = b[tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(1)
solve_kernel7(double *__restrict__ y, const double *__restrict__ w_copies_2, const int tune_h0) {
  y[tune_h0] = w_copies_2[tune_h0];
}

extern "C" __global__ void __launch_bounds__(32)
solve_kernel8(const double (*__restrict__ A)[130], const double *__restrict__ y, double *__restrict__ w_copies_2, const int tune_h0, const int tune_f0) {
  const int tune_b0 = blockIdx.x + tune_f0;
  const int tune_t0 = threadIdx.x;
  if (tune_t0 + 32 * tune_b0 >= tune_h0 + 1 && tune_t0 + 32 * tune_b0 <= 129) {
    w_copies_2[tune_t0 + 32 * tune_b0] -= A[tune_t0 + 32 * tune_b0][tune_h0] * y[tune_h0];
  }
}

extern "C" __global__ void __launch_bounds__(32)
solve_kernel9(const double *__restrict__ y, double *__restrict__ w_copies_3) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  if (tune_t0 + 32 * tune_b0 <= 129) {
    w_copies_3[tune_t0 + 32 * tune_b0] = y[tune_t0 + 32 * tune_b0];
  }
}

extern "C" __global__ void __launch_bounds__(64)
solve_kernel10(const double (*__restrict__ A)[130], const double *__restrict__ x, double *__restrict__ w_copies_3, const int tune_h0) {
  const int tune_t0 = threadIdx.x;
  double w_copies_3_partial0 = 0;
#pragma unroll 4
  for (int tune_c1 = tune_t0 + 64 * ((-tune_h0 - tune_t0 + 64) / 64); tune_c1 <= 129; tune_c1 += 64) {
    w_copies_3_partial0 -= A[-tune_h0][tune_c1] * x[tune_c1];
  }
  {
    __shared__ double tune_r_scratch[2];
#pragma unroll
    for (int tune_r_distance = 16; tune_r_distance > 0; tune_r_distance /= 2) {
      const double tune_r_other = __shfl_xor_sync(0xffffffffu, w_copies_3_partial0, tune_r_distance);
      w_copies_3_partial0 += tune_r_other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) tune_r_scratch[threadIdx.x / 32] = w_copies_3_partial0;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
      for (int tune_r_n = 1; tune_r_n < 2; ++tune_r_n) {
        const double tune_r_other = tune_r_scratch[tune_r_n];
        w_copies_3_partial0 += tune_r_other;
      }
    }
  }
  if (tune_t0 == 0) {
    w_copies_3[-tune_h0] += w_copies_3_partial0;
  }
}

extern "C" __global__ void __launch_bounds__(1)
solve_kernel11(const double (*__restrict__ A)[130], double *__restrict__ x, const double *__restrict__ w_copies_3, const int tune_h0) {
  x[-tune_h0] = w_copies_3[-tune_h0] / A[-tune_h0][-tune_h0];
}

extern "C" __global__ void __launch_bounds__(1)
solve_kernel12(double *__restrict__ w, const double *__restrict__ w_copies_3) {
  (*w) = w_copies_3[0];
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
    void *arguments[] = {(void *)&memory[0], (void *)&memory[5]};
    const struct tune_launch one = {0, {5, 17, 1}, {32, 8, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[0], (void *)&memory[6]};
    const struct tune_launch one = {1, {5, 17, 1}, {32, 8, 1}, arguments};
    launch(context, &one);
  }
  for (long tune_c0 = 0; tune_c0 <= 129; tune_c0 += 1) {
    {
      int tune_h0 = tune_c0;
      int tune_f0 = tune_c0 - (31 * tune_c0 + 31) / 32;
      void *arguments[] = {(void *)&memory[0], (void *)&memory[6], &tune_h0, &tune_f0};
      const struct tune_launch one = {2, {(unsigned)(-tune_c0 + (31 * tune_c0 + 31) / 32 + 5), 1, 1}, {32, 1, 1}, arguments};
      launch(context, &one);
    }
    if (tune_c0 <= 128) {
      {
        int tune_h0 = tune_c0;
        int tune_f0 = tune_c0 - (31 * tune_c0 + 30) / 32;
        void *arguments[] = {(void *)&memory[0], (void *)&memory[5], &tune_h0, &tune_f0};
        const struct tune_launch one = {3, {(unsigned)(-tune_c0 + (31 * tune_c0 + 30) / 32 + 5), 1, 1}, {32, 1, 1}, arguments};
        launch(context, &one);
      }
      {
        int tune_h0 = tune_c0;
        int tune_f0 = tune_c0 - (31 * tune_c0 + 30) / 32;
        int tune_f1 = tune_c0 - (7 * tune_c0 + 6) / 8;
        void *arguments[] = {(void *)&memory[0], (void *)&memory[6], &tune_h0, &tune_f0, &tune_f1};
        const struct tune_launch one = {4, {(unsigned)(-tune_c0 + (31 * tune_c0 + 30) / 32 + 5), (unsigned)(-tune_c0 + (7 * tune_c0 + 6) / 8 + 17), 1}, {32, 8, 1}, arguments};
        launch(context, &one);
      }
      if (tune_c0 <= 127) {
        {
          int tune_h0 = tune_c0;
          int tune_f0 = tune_c0 - (31 * tune_c0 + 30) / 32;
          int tune_f1 = tune_c0 - (7 * tune_c0 + 5) / 8;
          void *arguments[] = {(void *)&memory[0], (void *)&memory[5], &tune_h0, &tune_f0, &tune_f1};
          const struct tune_launch one = {5, {(unsigned)(-tune_c0 + (31 * tune_c0 + 30) / 32 + 5), (unsigned)(-tune_c0 + (7 * tune_c0 + 5) / 8 + 17), 1}, {32, 8, 1}, arguments};
          launch(context, &one);
        }
      }
    }
  }
  {
    void *arguments[] = {(void *)&memory[2], (void *)&memory[7]};
    const struct tune_launch one = {6, {5, 1, 1}, {32, 1, 1}, arguments};
    launch(context, &one);
  }
  for (long tune_c0 = 0; tune_c0 <= 129; tune_c0 += 1) {
    {
      int tune_h0 = tune_c0;
      void *arguments[] = {(void *)&memory[3], (void *)&memory[7], &tune_h0};
      const struct tune_launch one = {7, {1, 1, 1}, {1, 1, 1}, arguments};
      launch(context, &one);
    }
    if (tune_c0 <= 128) {
      {
        int tune_h0 = tune_c0;
        int tune_f0 = tune_c0 - (31 * tune_c0 + 30) / 32;
        void *arguments[] = {(void *)&memory[0], (void *)&memory[3], (void *)&memory[7], &tune_h0, &tune_f0};
        const struct tune_launch one = {8, {(unsigned)(-tune_c0 + (31 * tune_c0 + 30) / 32 + 5), 1, 1}, {32, 1, 1}, arguments};
        launch(context, &one);
      }
    }
  }
  {
    void *arguments[] = {(void *)&memory[3], (void *)&memory[8]};
    const struct tune_launch one = {9, {5, 1, 1}, {32, 1, 1}, arguments};
    launch(context, &one);
  }
  for (long tune_c0 = -129; tune_c0 <= 0; tune_c0 += 1) {
    if (tune_c0 >= -128) {
      {
        int tune_h0 = tune_c0;
        void *arguments[] = {(void *)&memory[0], (void *)&memory[4], (void *)&memory[8], &tune_h0};
        const struct tune_launch one = {10, {1, 1, 1}, {64, 1, 1}, arguments};
        launch(context, &one);
      }
    }
    {
      int tune_h0 = tune_c0;
      void *arguments[] = {(void *)&memory[0], (void *)&memory[4], (void *)&memory[8], &tune_h0};
      const struct tune_launch one = {11, {1, 1, 1}, {1, 1, 1}, arguments};
      launch(context, &one);
    }
  }
  {
    void *arguments[] = {(void *)&memory[1], (void *)&memory[8]};
    const struct tune_launch one = {12, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void solve_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "solve: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void solve_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)solve_kernel0, (const void *)solve_kernel1, (const void *)solve_kernel2, (const void *)solve_kernel3, (const void *)solve_kernel4, (const void *)solve_kernel5, (const void *)solve_kernel6, (const void *)solve_kernel7, (const void *)solve_kernel8, (const void *)solve_kernel9, (const void *)solve_kernel10, (const void *)solve_kernel11, (const void *)solve_kernel12};
  static const size_t shared_bytes[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  solve_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double solve_microseconds[13];
static long solve_launches[13];

static void solve_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  solve_launch(0, launch);
  cudaEventRecord(event[1]);
  solve_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  solve_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++solve_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t solve_bytes[] = {135200, 8, 1040, 1040, 1040, 133128, 135200, 1040, 1040};
static const bool solve_in[] = {true, true, true, true, true, false, false, false, false};
static const bool solve_out[] = {true, true, false, true, true, false, false, false, false};

static void solve_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 9; ++i)
    if (solve_in[i])
      solve_check(cudaMemcpy(memory[i], arrays[i], solve_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_solve(void *const *arrays) {
  void *memory[9] = {};
  for (int i = 0; i < 9; ++i)
    if (solve_bytes[i] > 0) solve_check(cudaMalloc(&memory[i], solve_bytes[i]), "allocate device memory");
  solve_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, solve_launch, 0);
  solve_copy_in(memory, arrays);
  tune_plan(memory, arrays, solve_timed_launch, events);
  for (int i = 0; i < 13; ++i)
    fprintf(stderr, "solve: kernel %d: %.3f us in %ld launches\n", i, solve_microseconds[i], solve_launches[i]);
  for (int i = 0; i < 5; ++i) {
    solve_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, solve_launch, 0);
    cudaEventRecord(events[1]);
    solve_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "solve: %.3f us\n", 1e3 * milliseconds);
  }
  solve_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, solve_launch, 0);
  solve_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 9; ++i) {
    if (solve_out[i])
      solve_check(cudaMemcpy(arrays[i], memory[i], solve_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
