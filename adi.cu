/*
expansion = on
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S18,S28].tile_size_1 = 32
k[S18,S28].block_size_1 = 32
k[S18,S28].tile_size_0 = 8
k[S18,S28].block_size_0 = 8
k[S14,S16].tile_size_1 = 32
k[S14,S16].block_size_1 = 32
k[S14,S16].tile_size_0 = 8
k[S14,S16].block_size_0 = 8
k[S14,S16].shared = on
k[S14,S16].inner_tile = 16
k[S14,S16].registers = on
k[S14,S16].unroll = 16
k[S21,S30,S23,S31].tile_size_1 = 32
k[S21,S30,S23,S31].block_size_1 = 32
k[S21,S30,S23,S31].tile_size_0 = 8
k[S21,S30,S23,S31].block_size_0 = 8
k[S21,S30,S23,S31].shared = on
k[S21,S30,S23,S31].inner_tile = 16
k[S21,S30,S23,S31].registers = on
k[S21,S30,S23,S31].unroll = 8
k[S13,S27,S15].tile_size_1 = 32
k[S13,S27,S15].block_size_1 = 32
k[S13,S27,S15].tile_size_0 = 8
k[S13,S27,S15].block_size_0 = 8
k[S17]@1.tile_size_1 = 32
k[S17]@1.block_size_1 = 32
k[S17]@1.shared = off
k[S17]@1.registers = on
k[S17]@1.unroll = 1
k[S19]@1.tile_size_1 = 32
k[S19]@1.block_size_1 = 32
k[S19]@1.shared = off
k[S19]@1.registers = on
k[S19]@1.unroll = 1
k[S20,S22,S24]@1.tile_size_0 = 32
k[S20,S22,S24]@1.block_size_0 = 32
k[S20,S22,S24]@1.shared = off
k[S20,S22,S24]@1.registers = on
k[S20,S22,S24]@1.unroll = 1
k[S25,S26]@1.tile_size_0 = 32
k[S25,S26]@1.block_size_0 = 32
k[S25,S26]@1.shared = off
k[S25,S26]@1.registers = on
k[S25,S26]@1.unroll = 1
k[S29].tile_size_1 = 32
k[S29].block_size_1 = 32
k[S29].tile_size_0 = 8
k[S29].block_size_0 = 8
k[S29].shared = off
k[S33].tile_size_1 = 32
k[S33].block_size_1 = 32
k[S33].tile_size_0 = 8
k[S33].block_size_0 = 8
k[S33].shared = off
k[S32].tile_size_0 = 32
k[S32].block_size_0 = 32
k[S32].shared = off
launches = grid
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static __device__ __forceinline__ void
alternate_kernel0(double (*v)[80], double (*v_copies)[80][79], const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 8 && tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    v_copies[tune_t1 + 8 * tune_b1 - 1][79][tune_t0 + 32 * tune_b0] = 1.0;
    if (tune_t1 == 0 && tune_b1 == 1) {
      v[79][tune_t0 + 32 * tune_b0] = v_copies[7][79][tune_t0 + 32 * tune_b0];
    }
  }
}

static __device__ __forceinline__ void
alternate_kernel1(double *dt, const uint3 tune_block, const uint3 tune_thread) {
  (*dt) = 1.0 / (double)8;
}

static __device__ __forceinline__ void
alternate_kernel2(double *b2, const uint3 tune_block, const uint3 tune_thread) {
  (*b2) = 1.0;
}

static __device__ __forceinline__ void
alternate_kernel3(double *dy, const uint3 tune_block, const uint3 tune_thread) {
  (*dy) = 1.0 / (double)80;
}

static __device__ __forceinline__ void
alternate_kernel4(const double *dy, const double *dt, const double *b2, double *mul2, const uint3 tune_block, const uint3 tune_thread) {
  (*mul2) = (*b2) * (*dt) / ((*dy) * (*dy));
}

static __device__ __forceinline__ void
alternate_kernel5(const double *mul2, double *d, const uint3 tune_block, const uint3 tune_thread) {
  (*d) = -(*mul2) / 2.0;
}

static __device__ __forceinline__ void
alternate_kernel6(const double *d, double *f, const uint3 tune_block, const uint3 tune_thread) {
  (*f) = (*d);
}

static __device__ __forceinline__ void
alternate_kernel7(double *dx, const uint3 tune_block, const uint3 tune_thread) {
  (*dx) = 1.0 / (double)80;
}

static __device__ __forceinline__ void
alternate_kernel8(double *b1, const uint3 tune_block, const uint3 tune_thread) {
  (*b1) = 2.0;
}

static __device__ __forceinline__ void
alternate_kernel9(const double *dx, const double *dt, const double *b1, double *mul1, const uint3 tune_block, const uint3 tune_thread) {
  (*mul1) = (*b1) * (*dt) / ((*dx) * (*dx));
}

static __device__ __forceinline__ void
alternate_kernel10(const double *mul1, double *b, const uint3 tune_block, const uint3 tune_thread) {
  (*b) = 1.0 + (*mul1);
}

static __device__ __forceinline__ void
alternate_kernel11(const double *mul1, double *a, const uint3 tune_block, const uint3 tune_thread) {
  (*a) = -(*mul1) / 2.0;
}

static __device__ __forceinline__ void
alternate_kernel12(const double *a, double *c, const uint3 tune_block, const uint3 tune_thread) {
  (*c) = (*a);
}

static __device__ __forceinline__ void
alternate_kernel13(const double *a, const double *b, const double *c, double (*p_copies)[79][79], const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 8 && tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    p_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][0] = 0.0;
#pragma unroll 16
    for (int tune_c1 = 1; tune_c1 <= 15; tune_c1 += 1) {
      p_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][tune_c1] = -(*c) / ((*a) * p_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][tune_c1 - 1] + (*b));
    }
    for (int tune_c0 = 1; tune_c0 <= 3; tune_c0 += 1) {
#pragma unroll 16
      for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
        p_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1] = -(*c) / ((*a) * p_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1 - 1] + (*b));
      }
    }
#pragma unroll 16
    for (int tune_c1 = 0; tune_c1 <= 14; tune_c1 += 1) {
      p_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][tune_c1 + 64] = -(*c) / ((*a) * p_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][tune_c1 + 63] + (*b));
    }
  }
}

static __device__ __forceinline__ void
alternate_kernel14(const double *mul2, double *e, const uint3 tune_block, const uint3 tune_thread) {
  (*e) = 1.0 + (*mul2);
}

static __device__ __forceinline__ void
alternate_kernel15(const double *d, const double *e, const double *f, double (*p)[80], double (*p_copies_1)[79][79], const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 8) {
      p_copies_1[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][0] = 0.0;
      if (tune_t1 == 0 && tune_b1 == 1) {
        p[tune_t0 + 32 * tune_b0][0] = p_copies_1[7][tune_t0 + 32 * tune_b0][0];
      }
    }
    if (tune_t1 >= 1 && tune_b1 == 0) {
#pragma unroll 8
      for (int tune_c1 = 1; tune_c1 <= 15; tune_c1 += 1) {
        p_copies_1[tune_t1 - 1][tune_t0 + 32 * tune_b0][tune_c1] = -(*f) / ((*d) * p_copies_1[tune_t1 - 1][tune_t0 + 32 * tune_b0][tune_c1 - 1] + (*e));
      }
    } else {
      if (tune_t1 == 0 && tune_b1 == 1) {
#pragma unroll 8
        for (int tune_c1 = 1; tune_c1 <= 15; tune_c1 += 1) {
          p_copies_1[7][tune_t0 + 32 * tune_b0][tune_c1] = -(*f) / ((*d) * p_copies_1[7][tune_t0 + 32 * tune_b0][tune_c1 - 1] + (*e));
          p[tune_t0 + 32 * tune_b0][tune_c1] = p_copies_1[7][tune_t0 + 32 * tune_b0][tune_c1];
        }
      }
    }
    for (int tune_c0 = 1; tune_c0 <= 3; tune_c0 += 1) {
      if (tune_t1 >= 1 && tune_b1 == 0) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
          p_copies_1[tune_t1 - 1][tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1] = -(*f) / ((*d) * p_copies_1[tune_t1 - 1][tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1 - 1] + (*e));
        }
      } else {
        if (tune_t1 == 0 && tune_b1 == 1) {
#pragma unroll 8
          for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {
            p_copies_1[7][tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1] = -(*f) / ((*d) * p_copies_1[7][tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1 - 1] + (*e));
            p[tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1] = p_copies_1[7][tune_t0 + 32 * tune_b0][16 * tune_c0 + tune_c1];
          }
        }
      }
    }
    if (tune_t1 >= 1 && tune_b1 == 0) {
#pragma unroll 8
      for (int tune_c1 = 0; tune_c1 <= 14; tune_c1 += 1) {
        p_copies_1[tune_t1 - 1][tune_t0 + 32 * tune_b0][tune_c1 + 64] = -(*f) / ((*d) * p_copies_1[tune_t1 - 1][tune_t0 + 32 * tune_b0][tune_c1 + 63] + (*e));
      }
    } else {
      if (tune_t1 == 0 && tune_b1 == 1) {
#pragma unroll 8
        for (int tune_c1 = 0; tune_c1 <= 14; tune_c1 += 1) {
          p_copies_1[7][tune_t0 + 32 * tune_b0][tune_c1 + 64] = -(*f) / ((*d) * p_copies_1[7][tune_t0 + 32 * tune_b0][tune_c1 + 63] + (*e));
          p[tune_t0 + 32 * tune_b0][tune_c1 + 64] = p_copies_1[7][tune_t0 + 32 * tune_b0][tune_c1 + 64];
        }
      }
    }
  }
}

static __device__ __forceinline__ void
alternate_kernel16(double (*v)[80], double (*v_copies)[80][79], double (*q_copies)[79][79], const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 8 && tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    v_copies[tune_t1 + 8 * tune_b1 - 1][0][tune_t0 + 32 * tune_b0] = 1.0;
    if (tune_t1 == 0 && tune_b1 == 1) {
      v[0][tune_t0 + 32 * tune_b0] = v_copies[7][0][tune_t0 + 32 * tune_b0];
    }
    q_copies[tune_t1 + 8 * tune_b1 - 1][tune_t0 + 32 * tune_b0][0] = v_copies[tune_t1 + 8 * tune_b1 - 1][0][tune_t0 + 32 * tune_b0];
  }
}

static __device__ __forceinline__ void
alternate_kernel17(const double *a, const double *b, const double *d, const double *f, const double (*u)[80], const double (*p_copies)[79][79], double (*q_copies)[79][79], const int tune_h0, const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  if (tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    for (int tune_c1 = 1; tune_c1 <= 78; tune_c1 += 1) {
      q_copies[tune_h0 - 1][tune_t0 + 32 * tune_b0][tune_c1] = (-(*d) * u[tune_c1][tune_t0 + 32 * tune_b0 - 1] + (1.0 + 2.0 * (*d)) * u[tune_c1][tune_t0 + 32 * tune_b0] - (*f) * u[tune_c1][tune_t0 + 32 * tune_b0 + 1] - (*a) * q_copies[tune_h0 - 1][tune_t0 + 32 * tune_b0][tune_c1 - 1]) / ((*a) * p_copies[tune_h0 - 1][tune_t0 + 32 * tune_b0][tune_c1 - 1] + (*b));
    }
  }
}

static __device__ __forceinline__ void
alternate_kernel18(double (*v_copies)[80][79], const double (*p_copies)[79][79], const double (*q_copies)[79][79], const int tune_h0, const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  if (tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    for (int tune_c1 = -78; tune_c1 < 0; tune_c1 += 1) {
      v_copies[tune_h0 - 1][-tune_c1][tune_t0 + 32 * tune_b0] = p_copies[tune_h0 - 1][tune_t0 + 32 * tune_b0][-tune_c1] * v_copies[tune_h0 - 1][-tune_c1 + 1][tune_t0 + 32 * tune_b0] + q_copies[tune_h0 - 1][tune_t0 + 32 * tune_b0][-tune_c1];
    }
  }
}

static __device__ __forceinline__ void
alternate_kernel19(const double *a, const double *c, const double *d, const double *e, double (*u)[80], const double (*v_copies)[80][79], const double (*p_copies_1)[79][79], double (*q_copies_1)[79][79], const int tune_h0, const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  double u_registers;
  if (tune_b0 == 1) {
    u_registers = u[tune_t0 + 32][0];
    u_registers = 1.0;
    q_copies_1[tune_h0 - 1][tune_t0 + 32][0] = u_registers;
    for (int tune_c1 = 1; tune_c1 <= 78; tune_c1 += 1) {
      q_copies_1[tune_h0 - 1][tune_t0 + 32][tune_c1] = (-(*a) * v_copies[tune_h0 - 1][tune_t0 + 31][tune_c1] + (1.0 + 2.0 * (*a)) * v_copies[tune_h0 - 1][tune_t0 + 32][tune_c1] - (*c) * v_copies[tune_h0 - 1][tune_t0 + 33][tune_c1] - (*d) * q_copies_1[tune_h0 - 1][tune_t0 + 32][tune_c1 - 1]) / ((*d) * p_copies_1[tune_h0 - 1][tune_t0 + 32][tune_c1 - 1] + (*e));
    }
    u[tune_t0 + 32][0] = u_registers;
  } else {
    if ((tune_t0 <= 14 && tune_b0 == 2) || (tune_t0 >= 1 && tune_b0 == 0)) {
      u_registers = u[tune_t0 + 32 * tune_b0][0];
    }
  }
  if (tune_t0 <= 14 && tune_b0 == 2) {
    u_registers = 1.0;
    q_copies_1[tune_h0 - 1][tune_t0 + 64][0] = u_registers;
    for (int tune_c1 = 1; tune_c1 <= 78; tune_c1 += 1) {
      q_copies_1[tune_h0 - 1][tune_t0 + 64][tune_c1] = (-(*a) * v_copies[tune_h0 - 1][tune_t0 + 63][tune_c1] + (1.0 + 2.0 * (*a)) * v_copies[tune_h0 - 1][tune_t0 + 64][tune_c1] - (*c) * v_copies[tune_h0 - 1][tune_t0 + 65][tune_c1] - (*d) * q_copies_1[tune_h0 - 1][tune_t0 + 64][tune_c1 - 1]) / ((*d) * p_copies_1[tune_h0 - 1][tune_t0 + 64][tune_c1 - 1] + (*e));
    }
  } else {
    if (tune_t0 >= 1 && tune_b0 == 0) {
      u_registers = 1.0;
      q_copies_1[tune_h0 - 1][tune_t0][0] = u_registers;
      for (int tune_c1 = 1; tune_c1 <= 78; tune_c1 += 1) {
        q_copies_1[tune_h0 - 1][tune_t0][tune_c1] = (-(*a) * v_copies[tune_h0 - 1][tune_t0 - 1][tune_c1] + (1.0 + 2.0 * (*a)) * v_copies[tune_h0 - 1][tune_t0][tune_c1] - (*c) * v_copies[tune_h0 - 1][tune_t0 + 1][tune_c1] - (*d) * q_copies_1[tune_h0 - 1][tune_t0][tune_c1 - 1]) / ((*d) * p_copies_1[tune_h0 - 1][tune_t0][tune_c1 - 1] + (*e));
      }
    }
  }
  if ((tune_t0 <= 14 && tune_b0 == 2) || (tune_t0 >= 1 && tune_b0 == 0)) {
    u[tune_t0 + 32 * tune_b0][0] = u_registers;
  }
}

static __device__ __forceinline__ void
alternate_kernel20(double (*u)[80], const double (*p_copies_1)[79][79], const double (*q_copies_1)[79][79], const int tune_h0, const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  if (tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    u[tune_t0 + 32 * tune_b0][79] = 1.0;
    for (int tune_c1 = 0; tune_c1 <= 77; tune_c1 += 1) {
      u[tune_t0 + 32 * tune_b0][-tune_c1 + 78] = p_copies_1[tune_h0 - 1][tune_t0 + 32 * tune_b0][-tune_c1 + 78] * u[tune_t0 + 32 * tune_b0][-tune_c1 + 79] + q_copies_1[tune_h0 - 1][tune_t0 + 32 * tune_b0][-tune_c1 + 78];
    }
  }
}

static __device__ __forceinline__ void
alternate_kernel21(double (*v)[80], const double (*v_copies)[80][79], const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 78 && tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    v[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = v_copies[7][tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
  }
}

static __device__ __forceinline__ void
alternate_kernel22(double (*q)[80], const double (*q_copies_1)[79][79], const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  const int tune_b1 = tune_block.y;
  const int tune_t1 = tune_thread.y;
  if (tune_t1 + 8 * tune_b1 >= 1 && tune_t1 + 8 * tune_b1 <= 78 && tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    q[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = q_copies_1[7][tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0];
  }
}

static __device__ __forceinline__ void
alternate_kernel23(double (*q)[80], const double (*q_copies_1)[79][79], const uint3 tune_block, const uint3 tune_thread) {
  const int tune_b0 = tune_block.x;
  const int tune_t0 = tune_thread.x;
  if (tune_t0 + 32 * tune_b0 >= 1 && tune_t0 + 32 * tune_b0 <= 78) {
    q[tune_t0 + 32 * tune_b0][0] = q_copies_1[7][tune_t0 + 32 * tune_b0][0];
  }
}

#ifndef TUNE_GRID_BARRIER
// Waits until every block of the launch has come here; what they wrote before is seen by all afterwards.
static __device__ unsigned tune_barrier_arrived;
static __device__ volatile unsigned tune_barrier_round;
static __device__ void tune_grid_barrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned round = tune_barrier_round;
    __threadfence();
    if (atomicAdd(&tune_barrier_arrived, 1u) == gridDim.x - 1) {
      tune_barrier_arrived = 0;
      __threadfence();
      tune_barrier_round = round + 1;
    } else {
      while (tune_barrier_round == round) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}
#define TUNE_GRID_BARRIER tune_grid_barrier
#endif

extern "C" __global__ void __launch_bounds__(256, 4)
alternate_persistent(double *dx, double *dy, double *dt, double *b1, double *b2, double *mul1, double *mul2, double *a, double *b, double *c, double *d, double *e, double *f, double (*v)[80], double (*p)[80], double (*q)[80], double (*u)[80], double (*v_copies)[80][79], double (*p_copies)[79][79], double (*p_copies_1)[79][79], double (*q_copies)[79][79], double (*q_copies_1)[79][79]) {
  for (unsigned tune_turn = blockIdx.x; tune_turn < 3 * 2; tune_turn += 528)
    alternate_kernel0(v, v_copies, make_uint3(tune_turn % 3, tune_turn / 3, 0), make_uint3(threadIdx.x % 32, threadIdx.x / 32, 0));
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel1(dt, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel2(b2, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel3(dy, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel4(dy, dt, b2, mul2, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel5(mul2, d, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel6(d, f, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel7(dx, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel8(b1, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel9(dx, dt, b1, mul1, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel10(mul1, b, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel11(mul1, a, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel12(a, c, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  for (unsigned tune_turn = blockIdx.x; tune_turn < 3 * 2; tune_turn += 528)
    alternate_kernel13(a, b, c, p_copies, make_uint3(tune_turn % 3, tune_turn / 3, 0), make_uint3(threadIdx.x % 32, threadIdx.x / 32, 0));
  if (blockIdx.x == 0 && threadIdx.x < 1) alternate_kernel14(mul2, e, make_uint3(0, 0, 0), make_uint3(0, 0, 0));
  TUNE_GRID_BARRIER();
  for (unsigned tune_turn = blockIdx.x; tune_turn < 3 * 2; tune_turn += 528)
    alternate_kernel15(d, e, f, p, p_copies_1, make_uint3(tune_turn % 3, tune_turn / 3, 0), make_uint3(threadIdx.x % 32, threadIdx.x / 32, 0));
  for (unsigned tune_turn = blockIdx.x; tune_turn < 3 * 2; tune_turn += 528)
    alternate_kernel16(v, v_copies, q_copies, make_uint3(tune_turn % 3, tune_turn / 3, 0), make_uint3(threadIdx.x % 32, threadIdx.x / 32, 0));
  TUNE_GRID_BARRIER();
  for (int tune_c0 = 1; tune_c0 <= 8; tune_c0 += 1) {
    for (unsigned tune_turn = 8 * blockIdx.x + threadIdx.x / 32; tune_turn < 3; tune_turn += 4224)
      alternate_kernel17(a, b, d, f, u, p_copies, q_copies, tune_c0, make_uint3(tune_turn, 0, 0), make_uint3(threadIdx.x % 32, 0, 0));
    TUNE_GRID_BARRIER();
    for (unsigned tune_turn = 8 * blockIdx.x + threadIdx.x / 32; tune_turn < 3; tune_turn += 4224)
      alternate_kernel18(v_copies, p_copies, q_copies, tune_c0, make_uint3(tune_turn, 0, 0), make_uint3(threadIdx.x % 32, 0, 0));
    TUNE_GRID_BARRIER();
    for (unsigned tune_turn = 8 * blockIdx.x + threadIdx.x / 32; tune_turn < 3; tune_turn += 4224)
      alternate_kernel19(a, c, d, e, u, v_copies, p_copies_1, q_copies_1, tune_c0, make_uint3(tune_turn, 0, 0), make_uint3(threadIdx.x % 32, 0, 0));
    TUNE_GRID_BARRIER();
    for (unsigned tune_turn = 8 * blockIdx.x + threadIdx.x / 32; tune_turn < 3; tune_turn += 4224)
      alternate_kernel20(u, p_copies_1, q_copies_1, tune_c0, make_uint3(tune_turn, 0, 0), make_uint3(threadIdx.x % 32, 0, 0));
    TUNE_GRID_BARRIER();
  }
  for (unsigned tune_turn = blockIdx.x; tune_turn < 3 * 10; tune_turn += 528)
    alternate_kernel21(v, v_copies, make_uint3(tune_turn % 3, tune_turn / 3, 0), make_uint3(threadIdx.x % 32, threadIdx.x / 32, 0));
  for (unsigned tune_turn = blockIdx.x; tune_turn < 3 * 10; tune_turn += 528)
    alternate_kernel22(q, q_copies_1, make_uint3(tune_turn % 3, tune_turn / 3, 0), make_uint3(threadIdx.x % 32, threadIdx.x / 32, 0));
  TUNE_GRID_BARRIER();
  for (unsigned tune_turn = 8 * blockIdx.x + threadIdx.x / 32; tune_turn < 3; tune_turn += 4224)
    alternate_kernel23(q, q_copies_1, make_uint3(tune_turn, 0, 0), make_uint3(threadIdx.x % 32, 0, 0));
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
  void *arguments[] = {(void *)&memory[0], (void *)&memory[1], (void *)&memory[2], (void *)&memory[3], (void *)&memory[4], (void *)&memory[5], (void *)&memory[6], (void *)&memory[7], (void *)&memory[8], (void *)&memory[9], (void *)&memory[10], (void *)&memory[11], (void *)&memory[12], (void *)&memory[13], (void *)&memory[14], (void *)&memory[15], (void *)&memory[16], (void *)&memory[17], (void *)&memory[18], (void *)&memory[19], (void *)&memory[20], (void *)&memory[21]};
  const struct tune_launch one = {0, {528, 1, 1}, {256, 1, 1}, arguments};
  launch(context, &one);
}

}  // namespace

static void alternate_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "alternate: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void alternate_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)alternate_persistent};
  static const size_t shared_bytes[] = {0};
  alternate_check(cudaLaunchCooperativeKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double alternate_microseconds[1];
static long alternate_launches[1];

static void alternate_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  alternate_launch(0, launch);
  cudaEventRecord(event[1]);
  alternate_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  alternate_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++alternate_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t alternate_bytes[] = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 51200, 51200, 51200, 51200, 404480, 399424, 399424, 399424, 399424};
static const bool alternate_in[] = {true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false};
static const bool alternate_out[] = {true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false};

static void alternate_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 22; ++i)
    if (alternate_in[i])
      alternate_check(cudaMemcpy(memory[i], arrays[i], alternate_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_alternate(void *const *arrays) {
  void *memory[22] = {};
  for (int i = 0; i < 22; ++i)
    if (alternate_bytes[i] > 0) alternate_check(cudaMalloc(&memory[i], alternate_bytes[i]), "allocate device memory");
  alternate_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, alternate_launch, 0);
  alternate_copy_in(memory, arrays);
  tune_plan(memory, arrays, alternate_timed_launch, events);
  for (int i = 0; i < 1; ++i)
    fprintf(stderr, "alternate: kernel %d: %.3f us in %ld launches\n", i, alternate_microseconds[i], alternate_launches[i]);
  for (int i = 0; i < 5; ++i) {
    alternate_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, alternate_launch, 0);
    cudaEventRecord(events[1]);
    alternate_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "alternate: %.3f us\n", 1e3 * milliseconds);
  }
  alternate_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, alternate_launch, 0);
  alternate_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 22; ++i) {
    if (alternate_out[i])
      alternate_check(cudaMemcpy(arrays[i], memory[i], alternate_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
