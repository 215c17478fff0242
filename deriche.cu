/*
expansion = on
schedule.algorithm = pluto
schedule.serialize_sccs = off
schedule.maximize_band_depth = on
k[S22,S21,S23,S20,S24,S25,S53,S27,S28,S26,S52].tile_size_1 = 32
k[S22,S21,S23,S20,S24,S25,S53,S27,S28,S26,S52].block_size_1 = 32
k[S22,S21,S23,S20,S24,S25,S53,S27,S28,S26,S52].shared = off
k[S22,S21,S23,S20,S24,S25,S53,S27,S28,S26,S52].registers = on
k[S22,S21,S23,S20,S24,S25,S53,S27,S28,S26,S52].unroll = 1
k[S13-S17,S49,S18,S19].tile_size_0 = 32
k[S13-S17,S49,S18,S19].block_size_0 = 32
k[S13-S17,S49,S18,S19].shared = off
k[S13-S17,S49,S18,S19].registers = on
k[S13-S17,S49,S18,S19].unroll = 1
k[S29].tile_size_1 = 32
k[S29].block_size_1 = 32
k[S29].tile_size_0 = 8
k[S29].block_size_0 = 8
k[S29].shared = off
k[S31,S32,S30,S33,S35,S34,S36,S47,S54,S48].tile_size_1 = 32
k[S31,S32,S30,S33,S35,S34,S36,S47,S54,S48].block_size_1 = 32
k[S31,S32,S30,S33,S35,S34,S36,S47,S54,S48].shared = off
k[S31,S32,S30,S33,S35,S34,S36,S47,S54,S48].registers = on
k[S31,S32,S30,S33,S35,S34,S36,S47,S54,S48].unroll = 1
k[S40,S37,S39,S38,S41,S44,S45,S50,S51,S42,S43,S55,S56].tile_size_1 = 32
k[S40,S37,S39,S38,S41,S44,S45,S50,S51,S42,S43,S55,S56].block_size_1 = 32
k[S40,S37,S39,S38,S41,S44,S45,S50,S51,S42,S43,S55,S56].shared = off
k[S40,S37,S39,S38,S41,S44,S45,S50,S51,S42,S43,S55,S56].registers = on
k[S40,S37,S39,S38,S41,S44,S45,S50,S51,S42,S43,S55,S56].unroll = 1
k[S46].tile_size_1 = 32
k[S46].block_size_1 = 32
k[S46].tile_size_0 = 8
k[S46].block_size_0 = 8
k[S46].shared = off
launches = separate
*/
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel0(const double alpha, double *__restrict__ k) {
  (*k) = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha)) / (1.0 + 2.0 * alpha * exp(-alpha) - exp(2.0 * alpha));
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel1(const double alpha, const double *__restrict__ k, double *__restrict__ a8) {
  (*a8) = -(*k) * exp(-2.0 * alpha);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel2(const double *__restrict__ a8, double *__restrict__ a4) {
  (*a4) = (*a8);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel3(const double alpha, const double *__restrict__ k, double *__restrict__ a7) {
  (*a7) = (*k) * exp(-alpha) * (alpha + 1.0);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel4(const double *__restrict__ a7, double *__restrict__ a3) {
  (*a3) = (*a7);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel5(const double alpha, double *__restrict__ b1) {
  (*b1) = pow(2.0, -alpha);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel6(const double alpha, double *__restrict__ b2) {
  (*b2) = -exp(-2.0 * alpha);
}

extern "C" __global__ void __launch_bounds__(32)
deriche_kernel7(const double *__restrict__ a3, const double *__restrict__ a4, const double *__restrict__ b1, const double *__restrict__ b2, const double (*__restrict__ image_in)[128], double *__restrict__ xp1, double *__restrict__ xp2, double (*__restrict__ backward)[128], double *__restrict__ yp1_copies, double *__restrict__ yp2_copies, double *__restrict__ xp1_copies, double *__restrict__ xp2_copies) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  double xp1_registers;
  double xp1_copies_registers;
  double xp2_registers;
  double xp2_copies_registers;
  double yp1_copies_registers;
  double yp2_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 5) {
    xp1_registers = (*xp1);
  }
  xp1_copies_registers = xp1_copies[tune_t0 + 32 * tune_b0];
  if (tune_t0 == 31 && tune_b0 == 5) {
    xp2_registers = (*xp2);
  }
  xp2_copies_registers = xp2_copies[tune_t0 + 32 * tune_b0];
  yp1_copies_registers = yp1_copies[tune_t0 + 32 * tune_b0];
  yp2_copies_registers = yp2_copies[tune_t0 + 32 * tune_b0];
  xp1_copies_registers = 0.0;
  yp2_copies_registers = 0.0;
  xp2_copies_registers = 0.0;
  yp1_copies_registers = 0.0;
  for (int tune_c0 = 0; tune_c0 <= 126; tune_c0 += 1) {
    backward[tune_t0 + 32 * tune_b0][-tune_c0 + 127] = (*a3) * xp1_copies_registers + (*a4) * xp2_copies_registers + (*b1) * yp1_copies_registers + (*b2) * yp2_copies_registers;
    xp2_copies_registers = xp1_copies_registers;
    yp2_copies_registers = yp1_copies_registers;
    yp1_copies_registers = backward[tune_t0 + 32 * tune_b0][-tune_c0 + 127];
    xp1_copies_registers = image_in[tune_t0 + 32 * tune_b0][-tune_c0 + 127];
  }
  if (tune_t0 == 31 && tune_b0 == 5) {
    backward[191][0] = (*a3) * xp1_copies_registers + (*a4) * xp2_copies_registers + (*b1) * yp1_copies_registers + (*b2) * yp2_copies_registers;
    xp2_copies_registers = xp1_copies_registers;
    xp2_registers = xp2_copies_registers;
    yp2_copies_registers = yp1_copies_registers;
    yp1_copies_registers = backward[191][0];
    xp1_copies_registers = image_in[191][0];
    xp1_registers = xp1_copies_registers;
  } else {
    if (tune_t0 <= 30 && tune_b0 == 5) {
      backward[tune_t0 + 160][0] = (*a3) * xp1_copies_registers + (*a4) * xp2_copies_registers + (*b1) * yp1_copies_registers + (*b2) * yp2_copies_registers;
      xp2_copies_registers = xp1_copies_registers;
      yp2_copies_registers = yp1_copies_registers;
      yp1_copies_registers = backward[tune_t0 + 160][0];
      xp1_copies_registers = image_in[tune_t0 + 160][0];
    } else {
      backward[tune_t0 + 32 * tune_b0][0] = (*a3) * xp1_copies_registers + (*a4) * xp2_copies_registers + (*b1) * yp1_copies_registers + (*b2) * yp2_copies_registers;
      xp2_copies_registers = xp1_copies_registers;
      yp2_copies_registers = yp1_copies_registers;
      yp1_copies_registers = backward[tune_t0 + 32 * tune_b0][0];
      xp1_copies_registers = image_in[tune_t0 + 32 * tune_b0][0];
    }
  }
  yp2_copies[tune_t0 + 32 * tune_b0] = yp2_copies_registers;
  yp1_copies[tune_t0 + 32 * tune_b0] = yp1_copies_registers;
  xp2_copies[tune_t0 + 32 * tune_b0] = xp2_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 5) {
    (*xp2) = xp2_registers;
  }
  xp1_copies[tune_t0 + 32 * tune_b0] = xp1_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 5) {
    (*xp1) = xp1_registers;
  }
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel8(const double alpha, const double *__restrict__ k, double *__restrict__ a6) {
  (*a6) = (*k) * exp(-alpha) * (alpha - 1.0);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel9(const double *__restrict__ k, double *__restrict__ a5) {
  (*a5) = (*k);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel10(const double *__restrict__ a5, double *__restrict__ a1) {
  (*a1) = (*a5);
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel11(const double *__restrict__ a6, double *__restrict__ a2) {
  (*a2) = (*a6);
}

extern "C" __global__ void __launch_bounds__(32)
deriche_kernel12(const double *__restrict__ a1, const double *__restrict__ a2, const double *__restrict__ b1, const double *__restrict__ b2, double *__restrict__ xm1, const double (*__restrict__ image_in)[128], double (*__restrict__ forward)[128], double *__restrict__ ym1_copies, double *__restrict__ ym2_copies, double *__restrict__ xm1_copies) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  double xm1_registers;
  double xm1_copies_registers;
  double ym1_copies_registers;
  double ym2_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 5) {
    xm1_registers = (*xm1);
  }
  xm1_copies_registers = xm1_copies[tune_t0 + 32 * tune_b0];
  ym1_copies_registers = ym1_copies[tune_t0 + 32 * tune_b0];
  ym2_copies_registers = ym2_copies[tune_t0 + 32 * tune_b0];
  ym1_copies_registers = 0.0;
  ym2_copies_registers = 0.0;
  xm1_copies_registers = 0.0;
  for (int tune_c0 = 0; tune_c0 <= 126; tune_c0 += 1) {
    forward[tune_t0 + 32 * tune_b0][tune_c0] = (*a1) * image_in[tune_t0 + 32 * tune_b0][tune_c0] + (*a2) * xm1_copies_registers + (*b1) * ym1_copies_registers + (*b2) * ym2_copies_registers;
    xm1_copies_registers = image_in[tune_t0 + 32 * tune_b0][tune_c0];
    ym2_copies_registers = ym1_copies_registers;
    ym1_copies_registers = forward[tune_t0 + 32 * tune_b0][tune_c0];
  }
  if (tune_t0 == 31 && tune_b0 == 5) {
    forward[191][127] = (*a1) * image_in[191][127] + (*a2) * xm1_copies_registers + (*b1) * ym1_copies_registers + (*b2) * ym2_copies_registers;
    xm1_copies_registers = image_in[191][127];
    xm1_registers = xm1_copies_registers;
    ym2_copies_registers = ym1_copies_registers;
    ym1_copies_registers = forward[191][127];
  } else {
    if (tune_t0 <= 30 && tune_b0 == 5) {
      forward[tune_t0 + 160][127] = (*a1) * image_in[tune_t0 + 160][127] + (*a2) * xm1_copies_registers + (*b1) * ym1_copies_registers + (*b2) * ym2_copies_registers;
      xm1_copies_registers = image_in[tune_t0 + 160][127];
      ym2_copies_registers = ym1_copies_registers;
      ym1_copies_registers = forward[tune_t0 + 160][127];
    } else {
      forward[tune_t0 + 32 * tune_b0][127] = (*a1) * image_in[tune_t0 + 32 * tune_b0][127] + (*a2) * xm1_copies_registers + (*b1) * ym1_copies_registers + (*b2) * ym2_copies_registers;
      xm1_copies_registers = image_in[tune_t0 + 32 * tune_b0][127];
      ym2_copies_registers = ym1_copies_registers;
      ym1_copies_registers = forward[tune_t0 + 32 * tune_b0][127];
    }
  }
  ym2_copies[tune_t0 + 32 * tune_b0] = ym2_copies_registers;
  ym1_copies[tune_t0 + 32 * tune_b0] = ym1_copies_registers;
  xm1_copies[tune_t0 + 32 * tune_b0] = xm1_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 5) {
    (*xm1) = xm1_registers;
  }
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel13(double *__restrict__ c2) {
  (*c2) = 1;
}

extern "C" __global__ void __launch_bounds__(1)
deriche_kernel14(const double *__restrict__ c2, double *__restrict__ c1) {
  (*c1) = (*c2);
}

extern "C" __global__ void __launch_bounds__(256)
deriche_kernel15(const double *__restrict__ c1, const double (*__restrict__ forward)[128], const double (*__restrict__ backward)[128], double (*__restrict__ image_out)[128]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  image_out[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = (*c1) * (forward[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] + backward[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0]);
}

extern "C" __global__ void __launch_bounds__(32)
deriche_kernel16(const double *__restrict__ a5, const double *__restrict__ a6, const double *__restrict__ b1, const double *__restrict__ b2, double *__restrict__ ym1, double *__restrict__ ym2, double (*__restrict__ forward)[128], const double (*__restrict__ image_out)[128], double *__restrict__ tm1, double *__restrict__ ym1_copies_1, double *__restrict__ ym2_copies_1, double *__restrict__ tm1_copies) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  double tm1_registers;
  double tm1_copies_registers;
  double ym1_registers;
  double ym1_copies_1_registers;
  double ym2_registers;
  double ym2_copies_1_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    tm1_registers = (*tm1);
  }
  tm1_copies_registers = tm1_copies[tune_t0 + 32 * tune_b0];
  if (tune_t0 == 31 && tune_b0 == 3) {
    ym1_registers = (*ym1);
  }
  ym1_copies_1_registers = ym1_copies_1[tune_t0 + 32 * tune_b0];
  if (tune_t0 == 31 && tune_b0 == 3) {
    ym2_registers = (*ym2);
  }
  ym2_copies_1_registers = ym2_copies_1[tune_t0 + 32 * tune_b0];
  ym1_copies_1_registers = 0.0;
  ym2_copies_1_registers = 0.0;
  tm1_copies_registers = 0.0;
  for (int tune_c0 = 0; tune_c0 <= 191; tune_c0 += 1) {
    forward[tune_c0][tune_t0 + 32 * tune_b0] = (*a5) * image_out[tune_c0][tune_t0 + 32 * tune_b0] + (*a6) * tm1_copies_registers + (*b1) * ym1_copies_1_registers + (*b2) * ym2_copies_1_registers;
    ym2_copies_1_registers = ym1_copies_1_registers;
    tm1_copies_registers = image_out[tune_c0][tune_t0 + 32 * tune_b0];
    ym1_copies_1_registers = forward[tune_c0][tune_t0 + 32 * tune_b0];
  }
  if (tune_t0 == 31 && tune_b0 == 3) {
    ym1_registers = ym1_copies_1_registers;
    tm1_registers = tm1_copies_registers;
    ym2_registers = ym2_copies_1_registers;
  }
  ym2_copies_1[tune_t0 + 32 * tune_b0] = ym2_copies_1_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    (*ym2) = ym2_registers;
  }
  ym1_copies_1[tune_t0 + 32 * tune_b0] = ym1_copies_1_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    (*ym1) = ym1_registers;
  }
  tm1_copies[tune_t0 + 32 * tune_b0] = tm1_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    (*tm1) = tm1_registers;
  }
}

extern "C" __global__ void __launch_bounds__(32)
deriche_kernel17(const double *__restrict__ a7, const double *__restrict__ a8, const double *__restrict__ b1, const double *__restrict__ b2, double *__restrict__ yp1, double *__restrict__ yp2, double (*__restrict__ backward)[128], const double (*__restrict__ image_out)[128], double *__restrict__ tp1, double *__restrict__ tp2, double *__restrict__ yp1_copies_1, double *__restrict__ yp2_copies_1, double *__restrict__ tp1_copies, double *__restrict__ tp2_copies) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  double tp1_registers;
  double tp1_copies_registers;
  double tp2_registers;
  double tp2_copies_registers;
  double yp1_registers;
  double yp1_copies_1_registers;
  double yp2_registers;
  double yp2_copies_1_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    tp1_registers = (*tp1);
  }
  tp1_copies_registers = tp1_copies[tune_t0 + 32 * tune_b0];
  if (tune_t0 == 31 && tune_b0 == 3) {
    tp2_registers = (*tp2);
  }
  tp2_copies_registers = tp2_copies[tune_t0 + 32 * tune_b0];
  if (tune_t0 == 31 && tune_b0 == 3) {
    yp1_registers = (*yp1);
  }
  yp1_copies_1_registers = yp1_copies_1[tune_t0 + 32 * tune_b0];
  if (tune_t0 == 31 && tune_b0 == 3) {
    yp2_registers = (*yp2);
  }
  yp2_copies_1_registers = yp2_copies_1[tune_t0 + 32 * tune_b0];
  yp2_copies_1_registers = 0.0;
  tp1_copies_registers = 0.0;
  yp1_copies_1_registers = 0.0;
  tp2_copies_registers = 0.0;
  for (int tune_c0 = 0; tune_c0 <= 190; tune_c0 += 1) {
    backward[-tune_c0 + 191][tune_t0 + 32 * tune_b0] = (*a7) * tp1_copies_registers + (*a8) * tp2_copies_registers + (*b1) * yp1_copies_1_registers + (*b2) * yp2_copies_1_registers;
    yp2_copies_1_registers = yp1_copies_1_registers;
    yp1_copies_1_registers = backward[-tune_c0 + 191][tune_t0 + 32 * tune_b0];
    tp2_copies_registers = tp1_copies_registers;
    tp1_copies_registers = image_out[-tune_c0 + 191][tune_t0 + 32 * tune_b0];
  }
  if (tune_t0 == 31 && tune_b0 == 3) {
    backward[0][127] = (*a7) * tp1_copies_registers + (*a8) * tp2_copies_registers + (*b1) * yp1_copies_1_registers + (*b2) * yp2_copies_1_registers;
    yp2_copies_1_registers = yp1_copies_1_registers;
    yp1_copies_1_registers = backward[0][127];
    yp1_registers = yp1_copies_1_registers;
    yp2_registers = yp2_copies_1_registers;
    tp2_copies_registers = tp1_copies_registers;
    tp1_copies_registers = image_out[0][127];
    tp1_registers = tp1_copies_registers;
    tp2_registers = tp2_copies_registers;
  } else {
    if (tune_t0 <= 30 && tune_b0 == 3) {
      backward[0][tune_t0 + 96] = (*a7) * tp1_copies_registers + (*a8) * tp2_copies_registers + (*b1) * yp1_copies_1_registers + (*b2) * yp2_copies_1_registers;
      yp2_copies_1_registers = yp1_copies_1_registers;
      yp1_copies_1_registers = backward[0][tune_t0 + 96];
      tp2_copies_registers = tp1_copies_registers;
      tp1_copies_registers = image_out[0][tune_t0 + 96];
    } else {
      backward[0][tune_t0 + 32 * tune_b0] = (*a7) * tp1_copies_registers + (*a8) * tp2_copies_registers + (*b1) * yp1_copies_1_registers + (*b2) * yp2_copies_1_registers;
      yp2_copies_1_registers = yp1_copies_1_registers;
      yp1_copies_1_registers = backward[0][tune_t0 + 32 * tune_b0];
      tp2_copies_registers = tp1_copies_registers;
      tp1_copies_registers = image_out[0][tune_t0 + 32 * tune_b0];
    }
  }
  yp2_copies_1[tune_t0 + 32 * tune_b0] = yp2_copies_1_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    (*yp2) = yp2_registers;
  }
  yp1_copies_1[tune_t0 + 32 * tune_b0] = yp1_copies_1_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    (*yp1) = yp1_registers;
  }
  tp2_copies[tune_t0 + 32 * tune_b0] = tp2_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    (*tp2) = tp2_registers;
  }
  tp1_copies[tune_t0 + 32 * tune_b0] = tp1_copies_registers;
  if (tune_t0 == 31 && tune_b0 == 3) {
    (*tp1) = tp1_registers;
  }
}

extern "C" __global__ void __launch_bounds__(256)
deriche_kernel18(const double *__restrict__ c2, const double (*__restrict__ forward)[128], const double (*__restrict__ backward)[128], double (*__restrict__ image_out)[128]) {
  const int tune_b0 = blockIdx.x;
  const int tune_t0 = threadIdx.x;
  const int tune_b1 = blockIdx.y;
  const int tune_t1 = threadIdx.y;
  image_out[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] = (*c2) * (forward[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0] + backward[tune_t1 + 8 * tune_b1][tune_t0 + 32 * tune_b0]);
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
    void *arguments[] = {(void *)host[0], (void *)&memory[1]};
    const struct tune_launch one = {0, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)host[0], (void *)&memory[1], (void *)&memory[8]};
    const struct tune_launch one = {1, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[8], (void *)&memory[9]};
    const struct tune_launch one = {2, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)host[0], (void *)&memory[1], (void *)&memory[6]};
    const struct tune_launch one = {3, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[6], (void *)&memory[7]};
    const struct tune_launch one = {4, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)host[0], (void *)&memory[10]};
    const struct tune_launch one = {5, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)host[0], (void *)&memory[11]};
    const struct tune_launch one = {6, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[7], (void *)&memory[9], (void *)&memory[10], (void *)&memory[11], (void *)&memory[17], (void *)&memory[21], (void *)&memory[22], (void *)&memory[23], (void *)&memory[33], (void *)&memory[35], (void *)&memory[37], (void *)&memory[38]};
    const struct tune_launch one = {7, {6, 1, 1}, {32, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)host[0], (void *)&memory[1], (void *)&memory[4]};
    const struct tune_launch one = {8, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[1], (void *)&memory[2]};
    const struct tune_launch one = {9, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[2], (void *)&memory[3]};
    const struct tune_launch one = {10, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[4], (void *)&memory[5]};
    const struct tune_launch one = {11, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[3], (void *)&memory[5], (void *)&memory[10], (void *)&memory[11], (void *)&memory[16], (void *)&memory[17], (void *)&memory[18], (void *)&memory[28], (void *)&memory[30], (void *)&memory[32]};
    const struct tune_launch one = {12, {6, 1, 1}, {32, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[12]};
    const struct tune_launch one = {13, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[12], (void *)&memory[13]};
    const struct tune_launch one = {14, {1, 1, 1}, {1, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[13], (void *)&memory[18], (void *)&memory[23], (void *)&memory[24]};
    const struct tune_launch one = {15, {4, 24, 1}, {32, 8, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[2], (void *)&memory[4], (void *)&memory[10], (void *)&memory[11], (void *)&memory[14], (void *)&memory[15], (void *)&memory[18], (void *)&memory[24], (void *)&memory[25], (void *)&memory[29], (void *)&memory[31], (void *)&memory[39]};
    const struct tune_launch one = {16, {4, 1, 1}, {32, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[6], (void *)&memory[8], (void *)&memory[10], (void *)&memory[11], (void *)&memory[19], (void *)&memory[20], (void *)&memory[23], (void *)&memory[24], (void *)&memory[26], (void *)&memory[27], (void *)&memory[34], (void *)&memory[36], (void *)&memory[40], (void *)&memory[41]};
    const struct tune_launch one = {17, {4, 1, 1}, {32, 1, 1}, arguments};
    launch(context, &one);
  }
  {
    void *arguments[] = {(void *)&memory[12], (void *)&memory[18], (void *)&memory[23], (void *)&memory[24]};
    const struct tune_launch one = {18, {4, 24, 1}, {32, 8, 1}, arguments};
    launch(context, &one);
  }
}

}  // namespace

static void deriche_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "deriche: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void deriche_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {(const void *)deriche_kernel0, (const void *)deriche_kernel1, (const void *)deriche_kernel2, (const void *)deriche_kernel3, (const void *)deriche_kernel4, (const void *)deriche_kernel5, (const void *)deriche_kernel6, (const void *)deriche_kernel7, (const void *)deriche_kernel8, (const void *)deriche_kernel9, (const void *)deriche_kernel10, (const void *)deriche_kernel11, (const void *)deriche_kernel12, (const void *)deriche_kernel13, (const void *)deriche_kernel14, (const void *)deriche_kernel15, (const void *)deriche_kernel16, (const void *)deriche_kernel17, (const void *)deriche_kernel18};
  static const size_t shared_bytes[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  deriche_check(cudaLaunchKernel(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], 0), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double deriche_microseconds[19];
static long deriche_launches[19];

static void deriche_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  deriche_launch(0, launch);
  cudaEventRecord(event[1]);
  deriche_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  deriche_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++deriche_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t deriche_bytes[] = {0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 196608, 196608, 8, 8, 8, 8, 196608, 196608, 8, 8, 8, 1536, 1024, 1536, 1024, 1536, 1536, 1024, 1536, 1024, 1536, 1536, 1024, 1024, 1024};
static const bool deriche_in[] = {false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false};
static const bool deriche_out[] = {false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false};

static void deriche_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < 42; ++i)
    if (deriche_in[i])
      deriche_check(cudaMemcpy(memory[i], arrays[i], deriche_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

extern "C" void tune_region_deriche(void *const *arrays) {
  void *memory[42] = {};
  for (int i = 0; i < 42; ++i)
    if (deriche_bytes[i] > 0) deriche_check(cudaMalloc(&memory[i], deriche_bytes[i]), "allocate device memory");
  deriche_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  tune_plan(memory, arrays, deriche_launch, 0);
  deriche_copy_in(memory, arrays);
  tune_plan(memory, arrays, deriche_timed_launch, events);
  for (int i = 0; i < 19; ++i)
    fprintf(stderr, "deriche: kernel %d: %.3f us in %ld launches\n", i, deriche_microseconds[i], deriche_launches[i]);
  for (int i = 0; i < 5; ++i) {
    deriche_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    tune_plan(memory, arrays, deriche_launch, 0);
    cudaEventRecord(events[1]);
    deriche_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "deriche: %.3f us\n", 1e3 * milliseconds);
  }
  deriche_copy_in(memory, arrays);
#endif
  tune_plan(memory, arrays, deriche_launch, 0);
  deriche_check(cudaDeviceSynchronize(), "run");
  for (int i = 0; i < 42; ++i) {
    if (deriche_out[i])
      deriche_check(cudaMemcpy(arrays[i], memory[i], deriche_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
