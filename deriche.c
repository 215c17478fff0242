/* deriche: Deriche's recursive edge filter, two passes along rows and two along columns. */
#include <math.h>
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef W
#define W 192
#endif
#ifndef H
#define H 128
#endif

static DATA_TYPE image_in[W][H], image_out[W][H], forward[W][H], backward[W][H];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < W; ++i)
    for (int j = 0; j < H; ++j) image_in[i][j] = (DATA_TYPE)((311 * i + 97 * j) % 1024) / 1023;
}

static void deriche(DATA_TYPE alpha) {
  DATA_TYPE xm1, tm1, ym1, ym2;
  DATA_TYPE xp1, xp2, tp1, tp2, yp1, yp2;
  DATA_TYPE k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;

/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
if (1)
{
  extern void tune_region_deriche(void *const *arrays);
  void *const tune_arrays[] = {(void *)&alpha, (void *)&k, (void *)&a5, (void *)&a1, (void *)&a6, (void *)&a2, (void *)&a7, (void *)&a3, (void *)&a8, (void *)&a4, (void *)&b1, (void *)&b2, (void *)&c2, (void *)&c1, (void *)&ym1, (void *)&ym2, (void *)&xm1, (void *)image_in, (void *)forward, (void *)&yp1, (void *)&yp2, (void *)&xp1, (void *)&xp2, (void *)backward, (void *)image_out, (void *)&tm1, (void *)&tp1, (void *)&tp2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  tune_region_deriche(tune_arrays);
}
else {
  k = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha)) / (1.0 + 2.0 * alpha * exp(-alpha) - exp(2.0 * alpha));
  a1 = a5 = k;
  a2 = a6 = k * exp(-alpha) * (alpha - 1.0);
  a3 = a7 = k * exp(-alpha) * (alpha + 1.0);
  a4 = a8 = -k * exp(-2.0 * alpha);
  b1 = pow(2.0, -alpha);
  b2 = -exp(-2.0 * alpha);
  c1 = c2 = 1;

  for (int i = 0; i < W; i++) {
    ym1 = 0.0;
    ym2 = 0.0;
    xm1 = 0.0;
    for (int j = 0; j < H; j++) {
      forward[i][j] = a1 * image_in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = image_in[i][j];
      ym2 = ym1;
      ym1 = forward[i][j];
    }
  }
  for (int i = 0; i < W; i++) {
    yp1 = 0.0;
    yp2 = 0.0;
    xp1 = 0.0;
    xp2 = 0.0;
    for (int j = H - 1; j >= 0; j--) {
      backward[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = image_in[i][j];
      yp2 = yp1;
      yp1 = backward[i][j];
    }
  }
  for (int i = 0; i < W; i++)
    for (int j = 0; j < H; j++) image_out[i][j] = c1 * (forward[i][j] + backward[i][j]);

  for (int j = 0; j < H; j++) {
    tm1 = 0.0;
    ym1 = 0.0;
    ym2 = 0.0;
    for (int i = 0; i < W; i++) {
      forward[i][j] = a5 * image_out[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = image_out[i][j];
      ym2 = ym1;
      ym1 = forward[i][j];
    }
  }
  for (int j = 0; j < H; j++) {
    tp1 = 0.0;
    tp2 = 0.0;
    yp1 = 0.0;
    yp2 = 0.0;
    for (int i = W - 1; i >= 0; i--) {
      backward[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
      tp2 = tp1;
      tp1 = image_out[i][j];
      yp2 = yp1;
      yp1 = backward[i][j];
    }
  }
  for (int i = 0; i < W; i++)
    for (int j = 0; j < H; j++) image_out[i][j] = c2 * (forward[i][j] + backward[i][j]);
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

int main(void) {
  fill();
  deriche(0.25);
  printf("image_out %.9e\n", weigh(W * H, &image_out[0][0]));
  return 0;
}
