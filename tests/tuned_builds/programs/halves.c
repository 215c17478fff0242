// _Float16: what is stored is rounded, what stands between operations is computed in float.
// build:
// build: -DREAL=float
// build: -O3
// parameters: n=40,m=24
#include <math.h>
#include <stdint.h>
#include "checksum.h"
#ifndef REAL
#define REAL _Float16
#endif
typedef REAL real;

static const real third = (real)0.3333f;
static inline real square(real x) { return x * x; }
static inline float tripled(real x) { return 3 * x; }

static real a[40][24], b[40][24], c[24][24], x[40], y[40], z[24];
static float f[40], g[40];
static double d[40];
static int k[40];

static void elements(int n, int m, real alpha, float scale) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      b[i][j] = alpha * a[i][j] + third * a[i][j] - 1;
      b[i][j] += a[i][j] / 7 * scale;
      a[i][j] *= b[i][j] > 2 && b[i][j] != a[i][j] ? (real)0.5f : alpha;
    }
  for (int i = 0; i < n; i++) {
    real once = a[i][0] * b[i][1];
    x[i] = once * alpha;
    y[i] = a[i][0] * b[i][1] * alpha;
    f[i] = a[i][0] * b[i][1] - once;
    d[i] = (double)a[i][2] * 0.1 + (real)(a[i][2] * b[i][2]);
    k[i] = (int)(a[i][3] * 8) + i * 5003;
    g[i] = square(a[i][4]) + tripled(b[i][4]) + sqrtf(x[i] * x[i]) + fabs(-y[i]);
  }
#pragma endscop
}

static void conversions(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[i] = i * 2049 + 1;
    y[i] = 1.0 / (i + 3);
    x[i] = x[i] * y[i] + i * 1001;
    if (!(y[i] < x[i])) y[i] = -x[i];
    y[i]++;
  }
#pragma endscop
}

// Sums in _Float16 keep their order: few of their digits are those of the sum.
static void sums(int n, int m) {
  real s = 0, most = a[0][0], product = 1;
  float exact = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      s += a[i][j] * b[i][j];
      exact += a[i][j] * b[i][j];
      if (a[i][j] > most) most = a[i][j];
      product *= 1 + a[i][j] / 4096;
    }
  for (int j = 0; j < m; j++) {
    z[j] = 0;
    for (int i = 0; i < n; i++) z[j] = z[j] + b[i][j];
  }
#pragma endscop
  printf("%.9e %.9e %.9e %.5e\n", (double)s, (double)most, (double)product, exact);
}

static void products(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int l = 0; l < n; l++) sum += (float)a[l][i] * b[l][j];
      c[i][j] = sum / 16;
    }
#pragma endscop
}

static void steps(int n, int times) {
#pragma scop
  for (int t = 0; t < times; t++) {
    for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) * third;
    for (int i = 1; i < n - 1; i++) x[i] = y[i];
  }
#pragma endscop
}

// Of a half and an integer C makes a half.
static void choices(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = x[i] > 2 ? x[i] : 0;
    g[i] = k[i] > i ? 1 : y[i];
    x[i] += k[i] % 3 ? i - 2 : x[i] * third;
    k[i] = 100 * (k[i] > 7 ? x[i] : k[i] % 5);
  }
#pragma endscop
}

// Infinite, without a number, and below the least normal number.
static void special(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[i] = f[i] * 3000;
    y[i] = x[i] - x[i];
    x[i] = x[i] > 60000 ? (real)7 : f[i] * 1e-7f;
    y[i] = y[i] == y[i] ? f[i] * 3e-6f : (real)-1;
  }
#pragma endscop
}

static void show(void) {
  PRINT(&a[0][0], 40 * 24); PRINT(&b[0][0], 40 * 24); PRINT(&c[0][0], 24 * 24);
  PRINT(x, 40); PRINT(y, 40); PRINT(z, 24); PRINT(f, 40); PRINT(g, 40); PRINT(d, 40); PRINT(k, 40);
}

int main(void) {
  for (int i = 0; i < 40 * 24; i++) a[i / 24][i % 24] = (i * 7 + 3) % 23 / 8.f + .1f;
  elements(40, 24, 0.7f, 1.3f);
  show();
  conversions(40);
  show();
  sums(40, 24);
  products(40, 24);
  show();
  steps(40, 5);
  show();
  FILL(f, 40);
  special(40);
  show();
  for (int i = 0; i < 40; i++) x[i] = i * .37f;
  FILL(k, 40);
  choices(40);
  show();
  elements(30, 20, 0.6f, 0.3f);
  sums(30, 20);
  show();
}
