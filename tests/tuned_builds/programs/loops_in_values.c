// build:
// build: -DTAPS=5
// build: -DTAPS=3 -DFIRST=1
// build: -DREAL=float
// build: -DHORNER
// parameters: n=40
// Functions whose value has loops: of more or fewer iterations, and others, in other builds.
#include "checksum.h"
#ifndef TAPS
#define TAPS 3
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
static const real taps[6] = {0.25, 0.5, 0.25, 2, 1, 3};
#ifdef HORNER
static real value(real x) {
  real r = taps[TAPS - 1];
  for (int k = TAPS - 2; k >= FIRST; k--) r = r * x + taps[k];
  return r;
}
#else
static real value(real x) {
  real r = 0, power = 1;
  for (int k = FIRST; k < TAPS; k++) {
    r += taps[k] * power;
    power *= x;
  }
  return r;
}
#endif
// The iterator is used behind the loop, and integers wrap around.
static unsigned mix(const int *row) {
  unsigned h = 2166136261u;
  int k;
  for (k = 9; k < 9; k++) h = 0;
  for (k = 0; k != 6; k += 2) {
    unsigned char low = (unsigned char)(row[k] * 77);
    h = (h ^ low) * 16777619u;
  }
  return h + k;
}
// Loops inside one another, choices, and a value that is no number.
static double inside(const double *a, int m) {
  double best = a[0], sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 2; j >= i; j--) {
      const double x = a[i * 4 + j];
      sum += i == j ? x : -x / 2;
      best = x > best ? x : best;
    }
  if (sum > m) return sum;
  return best;
}
// A sum of many terms.
static float sum_of(const float *a) {
  float s = 0;
  for (int k = 0; k < 32; k++) s -= a[k] * 0.5f;
  return s + 1;
}
static void compute(int n, real x[n], int k[n][8], unsigned h[n], double a[n][12], double b[n], float f[n + 32], float g[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[i] = value(x[i]);
    h[i] = mix(k[i]);
    b[i] += inside(a[i], 3);
    g[i] = sum_of(&f[i]);
  }
#pragma endscop
}
int main(void) {
  static real x[64];
  static int k[64][8];
  static unsigned h[64];
  static double a[64][12], b[64];
  static float f[128], g[64];
  for (int n = 0; n <= 40; n += 20) {
    for (int i = 0; i < 64; i++) {
      x[i] = (real)(i % 7) / 4 - 1;
      b[i] = i;
      for (int j = 0; j < 8; j++) ((int *)k)[i * 8 + j] = (i * 13 + j * 7) % 50 - 20;
      for (int j = 0; j < 12; j++) ((double *)a)[i * 12 + j] = j > 0 && (i + j) % 11 == 3 ? 0.0 / 0.0 : (i * 5 + j * 3) % 17 - 8;
    }
    for (int i = 0; i < 128; i++) f[i] = i % 9 - 4;
    compute(n, x, k, h, a, b, f, g);
    PRINT(x, 64);
    PRINT(h, 64);
    PRINT(b, 64);
    PRINT(g, 64);
  }
}
