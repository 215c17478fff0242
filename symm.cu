/*
expansion = on
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S1,S3,S4,S2].tile_size_2 = 32
k[S1,S3,S4,S2].block_size_2 = 32
k[S1,S3,S4,S2].tile_size_0 = 8
k[S1,S3,S4,S2].block_size_0 = 8
k[S1,S3,S4,S2].shared = on
k[S1,S3,S4,S2].inner_tile = 16
k[S1,S3,S4,S2].registers = on
k[S1,S3,S4,S2].unroll = 8
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define tune_min(x, y) ((x) < (y) ? (x) : (y))
#define tune_max(x, y) ((x) > (y) ? (x) : (y))
extern "C" __global__ void __launch_bounds__(256)
symm_kernel0(const double alpha, const double (*__restrict__ B)[110], const double (*__restrict__ A)[100], double (*__restrict__ C)[110], const double beta, double (*__restrict__ sum_copies)[110]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  __shared__ __align__(16) double B_shared0[16][32];
  __shared__ __align__(16) double A_shared1[8][16];
  __shared__ __align__(16) double A_shared2[16][8];
  double C_registers;
  double sum_copies_registers;
  const int tune_lane = threadIdx.x + 32 * threadIdx.y;
  if (tune_b1 <= 11 && tune_b0 <= 2) {
    C_registers = C[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
    sum_copies_registers = sum_copies[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
    __syncthreads();
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
      const int tune_q0 = 0 + tune_q / 32;
      const int tune_q1 = 32 * tune_b0 + tune_q % 32;
      if (tune_q0 < 100) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 8 * tune_b1 + tune_q / 16;
      const int tune_q1 = 0 + tune_q % 16;
      if (tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 0 + tune_q / 8;
      const int tune_q1 = 8 * tune_b1 + tune_q % 8;
      if (tune_q0 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
    }
    __syncthreads();
    sum_copies_registers = 0;
#pragma unroll 8
    for (int tune_c1 = 0; tune_c1 <= tune_min(15, tune_t1 + 8 * tune_b1 - 1); tune_c1 += 1) {
      sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
    }
    if (tune_t1 + 8 * tune_b1 <= 15) {
      C_registers = beta * C_registers + alpha * B_shared0[tune_t1 + 8 * tune_b1][tune_t0] * A_shared1[tune_t1][tune_t1 + 8 * tune_b1] + alpha * sum_copies_registers;
    }
#pragma unroll 8
    for (int tune_c1 = tune_t1 + 8 * tune_b1 + 1; tune_c1 <= 15; tune_c1 += 1) {
      C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
    }
    for (int tune_c0 = 1; tune_c0 <= 5; tune_c0 += 1) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 16 * tune_c0 + tune_q / 32;
        const int tune_q1 = 32 * tune_b0 + tune_q % 32;
        if (tune_q0 < 100) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 8 * tune_b1 + tune_q / 16;
        const int tune_q1 = 16 * tune_c0 + tune_q % 16;
        if (tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 16 * tune_c0 + tune_q / 8;
        const int tune_q1 = 8 * tune_b1 + tune_q % 8;
        if (tune_q0 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
#pragma unroll 8
      for (int tune_c1 = 0; tune_c1 <= tune_min(15, tune_t1 + 8 * tune_b1 - 16 * tune_c0 - 1); tune_c1 += 1) {
        sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
      }
      if (tune_t1 + 8 * tune_b1 >= 16 * tune_c0 && 16 * tune_c0 + 15 >= tune_t1 + 8 * tune_b1) {
        C_registers = beta * C_registers + alpha * B_shared0[tune_t1 + 8 * tune_b1 - 16 * tune_c0][tune_t0] * A_shared1[tune_t1][tune_t1 + 8 * tune_b1 - 16 * tune_c0] + alpha * sum_copies_registers;
      }
#pragma unroll 8
      for (int tune_c1 = tune_max(0, tune_t1 + 8 * tune_b1 - 16 * tune_c0 + 1); tune_c1 <= 15; tune_c1 += 1) {
        C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
      }
    }
    __syncthreads();
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
      const int tune_q0 = 96 + tune_q / 32;
      const int tune_q1 = 32 * tune_b0 + tune_q % 32;
      if (tune_q0 < 100) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 8 * tune_b1 + tune_q / 16;
      const int tune_q1 = 96 + tune_q % 16;
      if (tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 96 + tune_q / 8;
      const int tune_q1 = 8 * tune_b1 + tune_q % 8;
      if (tune_q0 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
    }
    __syncthreads();
#pragma unroll 8
    for (int tune_c1 = 0; tune_c1 <= 3; tune_c1 += 1) {
      C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
    }
    sum_copies[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = sum_copies_registers;
    C[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = C_registers;
  } else {
    if ((tune_t1 <= 3 && tune_b1 == 12 && tune_t0 + 32 * tune_b0 <= 109) || (tune_t1 + 8 * tune_b1 <= 99 && tune_t0 <= 13 && tune_b0 == 3)) {
      C_registers = C[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
      sum_copies_registers = sum_copies[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
    }
  }
  if (tune_b0 == 3) {
    if (tune_b1 == 12) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 0 + tune_q / 32;
        const int tune_q1 = 96 + tune_q % 32;
        if (tune_q0 < 100 && tune_q1 < 110) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 16;
        const int tune_q1 = 0 + tune_q % 16;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 0 + tune_q / 8;
        const int tune_q1 = 96 + tune_q % 8;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t1 <= 3 && tune_t0 <= 13) {
        sum_copies_registers = 0;
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
          sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
        }
      }
    } else {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 0 + tune_q / 32;
        const int tune_q1 = 96 + tune_q % 32;
        if (tune_q0 < 100 && tune_q1 < 110) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 8 * tune_b1 + tune_q / 16;
        const int tune_q1 = 0 + tune_q % 16;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 0 + tune_q / 8;
        const int tune_q1 = 8 * tune_b1 + tune_q % 8;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t0 <= 13) {
        sum_copies_registers = 0;
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= tune_min(15, tune_t1 + 8 * tune_b1 - 1); tune_c1 += 1) {
          sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
        }
        if (tune_t1 + 8 * tune_b1 <= 15) {
          C_registers = beta * C_registers + alpha * B_shared0[tune_t1 + 8 * tune_b1][tune_t0] * A_shared1[tune_t1][tune_t1 + 8 * tune_b1] + alpha * sum_copies_registers;
        }
#pragma unroll 8
        for (int tune_c1 = tune_t1 + 8 * tune_b1 + 1; tune_c1 <= 15; tune_c1 += 1) {
          C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
        }
      }
    }
  } else {
    if (tune_b1 == 12) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 0 + tune_q / 32;
        const int tune_q1 = 32 * tune_b0 + tune_q % 32;
        if (tune_q0 < 100 && tune_q1 < 110) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 16;
        const int tune_q1 = 0 + tune_q % 16;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 0 + tune_q / 8;
        const int tune_q1 = 96 + tune_q % 8;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t1 <= 3) {
        sum_copies_registers = 0;
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
          sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
        }
      }
    }
  }
  for (int tune_c0 = 1; tune_c0 <= 5; tune_c0 += 1) {
    if (tune_b1 == 12 || tune_b0 == 3) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 16 * tune_c0 + tune_q / 32;
        const int tune_q1 = 32 * tune_b0 + tune_q % 32;
        if (tune_q0 < 100 && tune_q1 < 110) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 8 * tune_b1 + tune_q / 16;
        const int tune_q1 = 16 * tune_c0 + tune_q % 16;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 16 * tune_c0 + tune_q / 8;
        const int tune_q1 = 8 * tune_b1 + tune_q % 8;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
    }
    if (tune_t1 + 8 * tune_b1 <= 99) {
      if (tune_b1 == 12 && tune_b0 <= 2) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
          sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
        }
      } else {
        if (tune_t0 <= 13 && tune_b0 == 3) {
#pragma unroll 8
          for (int tune_c1 = 0; tune_c1 <= tune_min(15, tune_t1 + 8 * tune_b1 - 16 * tune_c0 - 1); tune_c1 += 1) {
            sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
          }
          if (tune_t1 + 8 * tune_b1 >= 16 * tune_c0 && 16 * tune_c0 + 15 >= tune_t1 + 8 * tune_b1) {
            C_registers = beta * C_registers + alpha * B_shared0[tune_t1 + 8 * tune_b1 - 16 * tune_c0][tune_t0] * A_shared1[tune_t1][tune_t1 + 8 * tune_b1 - 16 * tune_c0] + alpha * sum_copies_registers;
          }
#pragma unroll 8
          for (int tune_c1 = tune_max(0, tune_t1 + 8 * tune_b1 - 16 * tune_c0 + 1); tune_c1 <= 15; tune_c1 += 1) {
            C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
          }
        }
      }
    }
  }
  if (tune_b0 == 3) {
    if (tune_b1 == 12) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 32;
        const int tune_q1 = 96 + tune_q % 32;
        if (tune_q0 < 100 && tune_q1 < 110) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 16;
        const int tune_q1 = 96 + tune_q % 16;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 8;
        const int tune_q1 = 96 + tune_q % 8;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t1 <= 3 && tune_t0 <= 13) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 < tune_t1; tune_c1 += 1) {
          sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
        }
        C_registers = beta * C_registers + alpha * B_shared0[tune_t1][tune_t0] * A_shared1[tune_t1][tune_t1] + alpha * sum_copies_registers;
#pragma unroll 8
        for (int tune_c1 = tune_t1 + 1; tune_c1 <= 3; tune_c1 += 1) {
          C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
        }
      }
    } else {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 32;
        const int tune_q1 = 96 + tune_q % 32;
        if (tune_q0 < 100 && tune_q1 < 110) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 8 * tune_b1 + tune_q / 16;
        const int tune_q1 = 96 + tune_q % 16;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 8;
        const int tune_q1 = 8 * tune_b1 + tune_q % 8;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t0 <= 13) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 3; tune_c1 += 1) {
          C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
        }
      }
    }
  } else {
    if (tune_b1 == 12) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 32;
        const int tune_q1 = 32 * tune_b0 + tune_q % 32;
        if (tune_q0 < 100 && tune_q1 < 110) B_shared0[tune_q / 32][tune_q % 32] = B[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 16;
        const int tune_q1 = 96 + tune_q % 16;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared1[tune_q / 16][tune_q % 16] = A[tune_q0][tune_q1];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 96 + tune_q / 8;
        const int tune_q1 = 96 + tune_q % 8;
        if (tune_q0 < 100 && tune_q1 < 100) A_shared2[tune_q / 8][tune_q % 8] = A[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t1 <= 3) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 < tune_t1; tune_c1 += 1) {
          sum_copies_registers += B_shared0[tune_c1][tune_t0] * A_shared1[tune_t1][tune_c1];
        }
        C_registers = beta * C_registers + alpha * B_shared0[tune_t1][tune_t0] * A_shared1[tune_t1][tune_t1] + alpha * sum_copies_registers;
#pragma unroll 8
        for (int tune_c1 = tune_t1 + 1; tune_c1 <= 3; tune_c1 += 1) {
          C_registers += alpha * B_shared0[tune_c1][tune_t0] * A_shared2[tune_c1][tune_t1];
        }
      }
    }
  }
  if ((tune_t1 <= 3 && tune_b1 == 12 && tune_t0 + 32 * tune_b0 <= 109) || (tune_t1 + 8 * tune_b1 <= 99 && tune_t0 <= 13 && tune_b0 == 3)) {
    sum_copies[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = sum_copies_registers;
    C[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = C_registers;
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
    void *arguments[] = {(void *)host[1], (void *)&memory[2], (void *)&memory[3], (void *)&memory[4], (void *)host[5], (void *)&memory[6]};
    const struct tune_launch one = {0, {4, 13, 1}, {32, 8, 1}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void symm_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "symm: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void symm_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)symm_kernel0};
  static const size_t shared_bytes[] = {0};
  symm_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double symm_microseconds[1];
static long symm_launches[1];

static void symm_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  symm_launch(0, launch);
  cudaEventRecord(event[1]);
  symm_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  symm_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++symm_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t symm_bytes[] = {8, 0, 88000, 80000, 88000, 0, 88000};
static const bool symm_in[] = {false, false, true, true, true, false, false};
static const bool symm_out[] = {false, false, false, false, true, false, false};

static void symm_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 7; ++i)
    if (symm_in[i])
      symm_check(cudaMemcpy(memory[i], arrays[i], symm_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_symm(void *const *arrays) {
  void *memory[7] = {};
  for (int i = 0; i < 7; ++i)
    if (symm_bytes[i] > 0) symm_check(cudaMalloc(&memory[i], symm_bytes[i]), "allocate device memory");
  symm_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, symm_launch, 0);
  symm_copy_in(memory, arrays);
  tune_plan(memory, arrays, symm_timed_launch, events);
  for (int i = 0; i < 1; ++i)
    fprintf(stderr, "symm: kernel %d: %.3f us in %ld launches\n", i, symm_microseconds[i], symm_launches[i]);
  for (int i = 0; i < 5; ++i) {
    symm_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, symm_launch, 0);
    cudaEventRecord(events[1]);
    symm_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "symm: %.3f us\n", 1e3 * milliseconds);
  }
  symm_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, symm_launch, 0);
  symm_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 7; ++i) {
    if (symm_out[i])
      symm_check(cudaMemcpy(arrays[i], memory[i], symm_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
