/*
expansion = on
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S0,S1,S3].tile_size_3 = 32
k[S0,S1,S3].block_size_3 = 32
k[S0,S1,S3].tile_size_1 = 4
k[S0,S1,S3].block_size_1 = 4
k[S0,S1,S3].tile_size_0 = 2
k[S0,S1,S3].block_size_0 = 2
k[S0,S1,S3].shared = on
k[S0,S1,S3].inner_tile = 16
k[S0,S1,S3].registers = on
k[S0,S1,S3].unroll = 8
k[S2].tile_size_2 = 32
k[S2].block_size_2 = 32
k[S2].tile_size_1 = 4
k[S2].block_size_1 = 4
k[S2].tile_size_0 = 2
k[S2].block_size_0 = 2
k[S2].shared = off
launches = separate
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(256)
doitgen_kernel0(double *__restrict__ sum, const double (*__restrict__ A)[22][40], const double (*__restrict__ C4)[40], double (*__restrict__ sum_copies)[22][40]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = (int)blockIdx.z + -11;
  const int tune_t2 = threadIdx.z;
  __shared__ __align__(16) double A_shared0[4][2][16];
  __shared__ __align__(16) double C4_shared1[16][32];
  double sum_registers;
  double sum_copies_registers;
  const int tune_lane = threadIdx.x + 32 * threadIdx.y + 128 * threadIdx.z;
  if (tune_b2 <= -1 && tune_b2 >= -10 && tune_b0 == 0) {
    sum_copies_registers = sum_copies[tune_t1 + 4 * tune_b1][-tune_t2 - 2 * tune_b2][tune_t0];
    __syncthreads();
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 4 * tune_b1 + tune_q / 32;
      const int tune_q1 = -2 * tune_b2 - 1 + tune_q / 16 % 2;
      const int tune_q2 = 0 + tune_q % 16;
      if (tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
      const int tune_q0 = 0 + tune_q / 32;
      const int tune_q1 = 0 + tune_q % 32;
      if (tune_q0 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
    }
    __syncthreads();
    sum_copies_registers = 0.0;
#pragma unroll 8
    for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
      sum_copies_registers += A_shared0[tune_t1][-tune_t2 + 1][tune_c1] * C4_shared1[tune_c1][tune_t0];
    }
    __syncthreads();
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 4 * tune_b1 + tune_q / 32;
      const int tune_q1 = -2 * tune_b2 - 1 + tune_q / 16 % 2;
      const int tune_q2 = 16 + tune_q % 16;
      if (tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
      const int tune_q0 = 16 + tune_q / 32;
      const int tune_q1 = 0 + tune_q % 32;
      if (tune_q0 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
    }
    __syncthreads();
#pragma unroll 8
    for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
      sum_copies_registers += A_shared0[tune_t1][-tune_t2 + 1][tune_c1] * C4_shared1[tune_c1][tune_t0];
    }
    __syncthreads();
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 4 * tune_b1 + tune_q / 32;
      const int tune_q1 = -2 * tune_b2 - 1 + tune_q / 16 % 2;
      const int tune_q2 = 32 + tune_q % 16;
      if (tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
      const int tune_q0 = 32 + tune_q / 32;
      const int tune_q1 = 0 + tune_q % 32;
      if (tune_q0 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
    }
    __syncthreads();
#pragma unroll 8
    for (int tune_c1 = 0; tune_c1 <= 7; tune_c1 += 1) {
      sum_copies_registers += A_shared0[tune_t1][-tune_t2 + 1][tune_c1] * C4_shared1[tune_c1][tune_t0];
    }
    sum_copies[tune_t1 + 4 * tune_b1][-tune_t2 - 2 * tune_b2][tune_t0] = sum_copies_registers;
  } else {
    if (tune_t2 == 1 && tune_b2 == -11 && tune_t1 == 3 && tune_b1 == 5 && tune_t0 + 32 * tune_b0 <= 39) {
      sum_registers = sum[tune_t0 + 32 * tune_b0];
    }
    if ((tune_t2 + 2 * tune_b2 <= 0 && tune_t2 + 2 * tune_b2 >= -21 && tune_t0 <= 7 && tune_b0 == 1) || (tune_t2 == 0 && tune_b2 == 0 && tune_t0 + 32 * tune_b0 <= 39) || (tune_t2 == 1 && tune_b2 == -11 && tune_t0 + 32 * tune_b0 <= 39)) {
      sum_copies_registers = sum_copies[tune_t1 + 4 * tune_b1][-tune_t2 - 2 * tune_b2][tune_t0 + 32 * tune_b0];
    }
  }
  if (tune_b0 == 1) {
    __syncthreads();
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 4 * tune_b1 + tune_q / 32;
      const int tune_q1 = -2 * tune_b2 - 1 + tune_q / 16 % 2;
      const int tune_q2 = 0 + tune_q % 16;
      if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
      const int tune_q0 = 0 + tune_q / 32;
      const int tune_q1 = 32 + tune_q % 32;
      if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
    }
    __syncthreads();
    if (tune_t2 + 2 * tune_b2 <= 0 && tune_t2 + 2 * tune_b2 >= -21 && tune_t0 <= 7) {
      sum_copies_registers = 0.0;
#pragma unroll 8
      for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
        sum_copies_registers += A_shared0[tune_t1][-tune_t2 + 1][tune_c1] * C4_shared1[tune_c1][tune_t0];
      }
    }
  } else {
    if (tune_b2 == 0) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 4 * tune_b1 + tune_q / 32;
        const int tune_q1 = -1 + tune_q / 16 % 2;
        const int tune_q2 = 0 + tune_q % 16;
        if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 0 + tune_q / 32;
        const int tune_q1 = 0 + tune_q % 32;
        if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t2 == 0) {
        sum_copies_registers = 0.0;
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
          sum_copies_registers += A_shared0[tune_t1][1][tune_c1] * C4_shared1[tune_c1][tune_t0];
        }
      }
    } else {
      if (tune_b2 == -11) {
        __syncthreads();
#pragma unroll
        for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
          const int tune_q0 = 4 * tune_b1 + tune_q / 32;
          const int tune_q1 = 21 + tune_q / 16 % 2;
          const int tune_q2 = 0 + tune_q % 16;
          if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
        }
#pragma unroll
        for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
          const int tune_q0 = 0 + tune_q / 32;
          const int tune_q1 = 0 + tune_q % 32;
          if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
        }
        __syncthreads();
        if (tune_t2 == 1) {
          sum_copies_registers = 0.0;
#pragma unroll 8
          for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
            sum_copies_registers += A_shared0[tune_t1][0][tune_c1] * C4_shared1[tune_c1][tune_t0];
          }
        }
      }
    }
  }
  if (tune_b0 == 1 || tune_b2 == 0 || tune_b2 == -11) {
    __syncthreads();
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
      const int tune_q0 = 4 * tune_b1 + tune_q / 32;
      const int tune_q1 = -2 * tune_b2 - 1 + tune_q / 16 % 2;
      const int tune_q2 = 16 + tune_q % 16;
      if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
    }
#pragma unroll
    for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
      const int tune_q0 = 16 + tune_q / 32;
      const int tune_q1 = 32 * tune_b0 + tune_q % 32;
      if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
    }
    __syncthreads();
  }
  if (tune_t2 + 2 * tune_b2 <= 0 && tune_t2 + 2 * tune_b2 >= -21) {
    if (tune_t0 <= 7 && tune_b0 == 1) {
#pragma unroll 8
      for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
        sum_copies_registers += A_shared0[tune_t1][-tune_t2 + 1][tune_c1] * C4_shared1[tune_c1][tune_t0];
      }
    } else {
      if (tune_t2 == 0 && tune_b2 == 0 && tune_b0 == 0) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
          sum_copies_registers += A_shared0[tune_t1][1][tune_c1] * C4_shared1[tune_c1][tune_t0];
        }
      } else {
        if (tune_t2 == 1 && tune_b2 == -11 && tune_b0 == 0) {
#pragma unroll 8
          for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
            sum_copies_registers += A_shared0[tune_t1][0][tune_c1] * C4_shared1[tune_c1][tune_t0];
          }
        }
      }
    }
  }
  if (tune_b0 == 1) {
    if (tune_b2 >= -10 && tune_b1 == 5) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 20 + tune_q / 32;
        const int tune_q1 = -2 * tune_b2 - 1 + tune_q / 16 % 2;
        const int tune_q2 = 32 + tune_q % 16;
        if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 32 + tune_q / 32;
        const int tune_q1 = 32 + tune_q % 32;
        if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t2 + 2 * tune_b2 <= 0 && tune_t0 <= 7) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 7; tune_c1 += 1) {
          sum_copies_registers += A_shared0[tune_t1][-tune_t2 + 1][tune_c1] * C4_shared1[tune_c1][tune_t0];
        }
      }
    } else {
      if (tune_b1 <= 4) {
        __syncthreads();
#pragma unroll
        for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
          const int tune_q0 = 4 * tune_b1 + tune_q / 32;
          const int tune_q1 = -2 * tune_b2 - 1 + tune_q / 16 % 2;
          const int tune_q2 = 32 + tune_q % 16;
          if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
        }
#pragma unroll
        for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
          const int tune_q0 = 32 + tune_q / 32;
          const int tune_q1 = 32 + tune_q % 32;
          if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
        }
        __syncthreads();
        if (tune_t2 + 2 * tune_b2 <= 0 && tune_t2 + 2 * tune_b2 >= -21 && tune_t0 <= 7) {
#pragma unroll 8
          for (int tune_c1 = 0; tune_c1 <= 7; tune_c1 += 1) {
            sum_copies_registers += A_shared0[tune_t1][-tune_t2 + 1][tune_c1] * C4_shared1[tune_c1][tune_t0];
          }
        }
      } else {
        __syncthreads();
#pragma unroll
        for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
          const int tune_q0 = 20 + tune_q / 32;
          const int tune_q1 = 21 + tune_q / 16 % 2;
          const int tune_q2 = 32 + tune_q % 16;
          if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
        }
#pragma unroll
        for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
          const int tune_q0 = 32 + tune_q / 32;
          const int tune_q1 = 32 + tune_q % 32;
          if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
        }
        __syncthreads();
        if (tune_t2 == 1 && tune_t0 <= 7) {
#pragma unroll 8
          for (int tune_c1 = 0; tune_c1 <= 7; tune_c1 += 1) {
            sum_copies_registers += A_shared0[tune_t1][0][tune_c1] * C4_shared1[tune_c1][tune_t0];
          }
          if (tune_t1 == 3) {
            sum_registers = sum_copies_registers;
          }
        }
      }
    }
  } else {
    if (tune_b2 == 0) {
      __syncthreads();
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
        const int tune_q0 = 4 * tune_b1 + tune_q / 32;
        const int tune_q1 = -1 + tune_q / 16 % 2;
        const int tune_q2 = 32 + tune_q % 16;
        if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
      }
#pragma unroll
      for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
        const int tune_q0 = 32 + tune_q / 32;
        const int tune_q1 = 0 + tune_q % 32;
        if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
      }
      __syncthreads();
      if (tune_t2 == 0) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 7; tune_c1 += 1) {
          sum_copies_registers += A_shared0[tune_t1][1][tune_c1] * C4_shared1[tune_c1][tune_t0];
        }
      }
    } else {
      if (tune_b2 == -11) {
        if (tune_b1 <= 4) {
          __syncthreads();
#pragma unroll
          for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
            const int tune_q0 = 4 * tune_b1 + tune_q / 32;
            const int tune_q1 = 21 + tune_q / 16 % 2;
            const int tune_q2 = 32 + tune_q % 16;
            if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
          }
#pragma unroll
          for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
            const int tune_q0 = 32 + tune_q / 32;
            const int tune_q1 = 0 + tune_q % 32;
            if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
          }
          __syncthreads();
          if (tune_t2 == 1) {
#pragma unroll 8
            for (int tune_c1 = 0; tune_c1 <= 7; tune_c1 += 1) {
              sum_copies_registers += A_shared0[tune_t1][0][tune_c1] * C4_shared1[tune_c1][tune_t0];
            }
          }
        } else {
          __syncthreads();
#pragma unroll
          for (int tune_q = tune_lane; tune_q < 128; tune_q += 256) {
            const int tune_q0 = 20 + tune_q / 32;
            const int tune_q1 = 21 + tune_q / 16 % 2;
            const int tune_q2 = 32 + tune_q % 16;
            if (tune_q1 >= 0 && tune_q1 < 22 && tune_q2 < 40) A_shared0[tune_q / 32][tune_q / 16 % 2][tune_q % 16] = A[tune_q0][tune_q1][tune_q2];
          }
#pragma unroll
          for (int tune_q = tune_lane; tune_q < 512; tune_q += 256) {
            const int tune_q0 = 32 + tune_q / 32;
            const int tune_q1 = 0 + tune_q % 32;
            if (tune_q0 < 40 && tune_q1 < 40) C4_shared1[tune_q / 32][tune_q % 32] = C4[tune_q0][tune_q1];
          }
          __syncthreads();
          if (tune_t2 == 1) {
#pragma unroll 8
            for (int tune_c1 = 0; tune_c1 <= 7; tune_c1 += 1) {
              sum_copies_registers += A_shared0[tune_t1][0][tune_c1] * C4_shared1[tune_c1][tune_t0];
            }
            if (tune_t1 == 3) {
              sum_registers = sum_copies_registers;
            }
          }
        }
      }
    }
  }
  if ((tune_t2 + 2 * tune_b2 <= 0 && tune_t2 + 2 * tune_b2 >= -21 && tune_t0 <= 7 && tune_b0 == 1) || (tune_t2 == 0 && tune_b2 == 0 && tune_t0 + 32 * tune_b0 <= 39) || (tune_t2 == 1 && tune_b2 == -11 && tune_t0 + 32 * tune_b0 <= 39)) {
    sum_copies[tune_t1 + 4 * tune_b1][-tune_t2 - 2 * tune_b2][tune_t0 + 32 * tune_b0] = sum_copies_registers;
    if (tune_t2 == 1 && tune_b2 == -11 && tune_t1 == 3 && tune_b1 == 5) {
      sum[tune_t0 + 32 * tune_b0] = sum_registers;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
doitgen_kernel1(double (*__restrict__ A)[22][40], const double (*__restrict__ sum_copies)[22][40]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  const int tune_b2 = blockIdx.z;
  const int tune_t2 = threadIdx.z;
  if (tune_t1 + 4 * tune_b1 <= 21 && tune_t0 + 32 * tune_b0 <= 39) {
    A[tune_t2 + 2 * tune_b2][tune_t1 + 4 * tune_b1][tune_t0 + 32 * tune_b0] = sum_copies[tune_t2 + 2 * tune_b2][tune_t1 + 4 * tune_b1][tune_t0 + 32 * tune_b0];
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
    void *arguments[] = {(void *)&memory[0], (void *)&memory[1], (void *)&memory[2], (void *)&memory[3]};
    const struct tune_launch one = {0, {2, 6, 12}, {32, 4, 2}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[1], (void *)&memory[3]};
    const struct tune_launch one = {1, {2, 6, 12}, {32, 4, 2}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void doitgen_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "doitgen: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void doitgen_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)doitgen_kernel0, (const void *)doitgen_kernel1};
  static const size_t shared_bytes[] = {0, 0};
  doitgen_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double doitgen_microseconds[2];
static long doitgen_launches[2];

static void doitgen_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  doitgen_launch(0, launch);
  cudaEventRecord(event[1]);
  doitgen_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  doitgen_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++doitgen_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t doitgen_bytes[] = {320, 168960, 12800, 168960};
static const bool doitgen_in[] = {true, true, true, false};
static const bool doitgen_out[] = {true, true, false, false};

static void doitgen_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 4; ++i)
    if (doitgen_in[i])
      doitgen_check(cudaMemcpy(memory[i], arrays[i], doitgen_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_doitgen(void *const *arrays) {
  void *memory[4] = {};
  for (int i = 0; i < 4; ++i)
    if (doitgen_bytes[i] > 0) doitgen_check(cudaMalloc(&memory[i], doitgen_bytes[i]), "allocate device memory");
  doitgen_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, doitgen_launch, 0);
  doitgen_copy_in(memory, arrays);
  tune_plan(memory, arrays, doitgen_timed_launch, events);
  for (int i = 0; i < 2; ++i)
    fprintf(stderr, "doitgen: kernel %d: %.3f us in %ld launches\n", i, doitgen_microseconds[i], doitgen_launches[i]);
  for (int i = 0; i < 5; ++i) {
    doitgen_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, doitgen_launch, 0);
    cudaEventRecord(events[1]);
    doitgen_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "doitgen: %.3f us\n", 1e3 * milliseconds);
  }
  doitgen_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, doitgen_launch, 0);
  doitgen_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 4; ++i) {
    if (doitgen_out[i])
      doitgen_check(cudaMemcpy(arrays[i], memory[i], doitgen_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
