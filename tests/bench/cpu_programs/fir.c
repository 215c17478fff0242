/* A finite impulse response filter: each output is a sum of its own. */
#include <stdio.h>

#ifndef N
#define N 400000
#endif
#ifndef TAPS
#define TAPS 64
#endif

static float x[N + TAPS], y[N], h[TAPS];

static void fir(void) {
#pragma scop
  for (int i = 0; i < N; i++) {
    float acc = 0;
    for (int k = 0; k < TAPS; k++) acc += h[k] * x[i + k];
    y[i] = acc;
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < N + TAPS; ++i) x[i] = (float)(i % 103) / 103;
  for (int k = 0; k < TAPS; ++k) h[k] = (float)(k % 11 + 1) / 64;
  fir();
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += y[i] * (i % 13 + 1);
  printf("y %.6e\n", sum);
  return 0;
}
