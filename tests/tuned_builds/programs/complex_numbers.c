// Complex numbers of both types: arrays, scalars, values of the region's own, with real numbers and integers.
// build:
// build: -O3
// parameters: n=40,m=24
#include <complex.h>
#include <math.h>
#include "checksum.h"

static const float complex third = 0.25f + 0.125f * I;
static inline float complex square(float complex z) { return z * z; }
static inline double norm(double complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

static float complex a[40][24], b[24][40], c[40][40], x[40], y[40], z[24];
static double complex w[40], v[40];
static float f[40], g[40];
static double d[40];
static int k[40];

static void matrices(int n, int m, float complex alpha) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int l = 0; l < m; l++) c[i][j] += alpha * a[i][l] * b[l][j];
    }
#pragma endscop
}

// Sums that threads and blocks share, in both precisions, a product, and sums under conditions of data.
static void sums(int n, int m) {
  float complex dot = 0, product = 1, some = 1 - 2 * I, lost = 0;
  double complex exact = I;
  float part = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      dot += a[i][j] * conjf(b[j][i]);
      exact += (double complex)a[i][j] * conj(b[j][i]);
      product *= 1 + a[i][j] / 4096;
      if (crealf(b[j][i]) > 0.7f) some += b[j][i];
      lost -= f[i];
      part += a[i][j] * 2.0f;
    }
  for (int j = 0; j < m; j++) {
    z[j] = 0;
    for (int i = 0; i < n; i++) z[j] = z[j] + a[i][j] * (f[i] + 0.5f * I);
  }
#pragma endscop
  printf("%.4e %.4e %.4e %.4e %.4e %.4e %.4e %.4e %.4e %.4e\n", crealf(dot), cimagf(dot), creal(exact),
         cimag(exact), crealf(product), cimagf(product), crealf(some), cimagf(some), crealf(lost), part);
}

static void elements(int n, float complex alpha, double scale) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float complex once = alpha * x[i];
    once *= I;
    y[i] = once + f[i] - 3;
    y[i] /= 2 + f[i];
    x[i] = square(once) / (y[i] + 7) + third * i;
    w[i] = scale * x[i] - 1 / (v[i] + 9);
    v[i] *= y[i];
    v[i] += f[i] * x[i];
    x[i] += w[i];
    f[i] = cabsf(x[i]) + cargf(y[i]) + cimagf(~x[i]);
    d[i] = norm(w[i]) + __imag__ v[i];
    w[i] = cexp(w[i] / 64) - w[i] * cexpf(x[i] / 128);
    g[i] = x[i];
    k[i] = (x[i] == y[i]) + 2 * (x[i] != 1.0f) + 4 * !y[i] + 8 * (y[i] && d[i] > 1) + (int)y[i] * 16;
    x[i] = k[i] % 3 ? x[i] : i;
    y[i] = k[i] % 5 ? 1 : y[i];
    if (k[i] % 7 > 2) w[i] = f[i];
  }
#pragma endscop
}

// One pass of a transform of n numbers: butterflies.
static void butterflies(int n) {
#pragma scop
  for (int i = 0; i < n / 2; i++) {
    float complex even = x[i], odd = y[i] * x[i + n / 2];
    c[0][i] = even + odd;
    c[0][i + n / 2] = even - odd;
  }
  for (int i = 0; i < n; i++) x[i] = c[0][i];
#pragma endscop
}

static void orbits(int n, int m, int times) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double complex p = 0, start = (i - 20) * 0.05 + (j - 12) * 0.05 * I;
      for (int t = 0; t < times; t++) p = (p * p + start) / (1 + cabs(p));
      a[i][j] = p;
    }
#pragma endscop
}

static void steps(int n, int times) {
#pragma scop
  for (int t = 0; t < times; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = (w[i - 1] + 2 * w[i] + w[i + 1]) * (0.25 + 0.125 * I);
    for (int i = 1; i < n - 1; i++) w[i] = v[i];
  }
#pragma endscop
}

// Few digits, as sums of floats in another order have others behind them.
static void show_sum(const char *name, const float *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i % 13 + 1) * (double)p[i];
  printf("%s %.4e\n", name, sum);
}
static void show_doubles(const char *name, const double *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i % 13 + 1) * p[i];
  printf("%s %.4e\n", name, sum);
}
static void show(void) {
  show_sum("a", (float *)a, 2 * 40 * 24);
  show_sum("b", (float *)b, 2 * 24 * 40);
  show_sum("c", (float *)c, 2 * 40 * 40);
  show_sum("x", (float *)x, 80);
  show_sum("y", (float *)y, 80);
  show_sum("z", (float *)z, 48);
  show_doubles("w", (double *)w, 80);
  show_doubles("v", (double *)v, 80);
  show_sum("f", f, 40);
  show_sum("g", g, 40);
  show_doubles("d", d, 40);
  PRINT(k, 40);
}

int main(void) {
  for (int i = 0; i < 40 * 24; i++) {
    a[i / 24][i % 24] = (i * 7 + 3) % 23 / 8.f + (i * 5 % 17 / 16.f - 0.4f) * I;
    b[i / 40][i % 40] = (i * 3 + 5) % 19 / 16.f - (i * 11 % 13 / 8.f) * I;
  }
  for (int i = 0; i < 40; i++) {
    f[i] = i * 0.125f;
    x[i] = 1 - i * 0.1f + I;
    v[i] = i * 0.2 - 0.7 * i * I;
  }
  matrices(40, 24, 0.5f - 0.25f * I);
  show();
  sums(40, 24);
  elements(40, 1 + 0.5f * I, 1.25);
  show();
  butterflies(40);
  show();
  orbits(40, 24, 20);
  steps(40, 5);
  show();
  matrices(31, 17, 2);
  sums(31, 17);
  elements(30, I, -0.75);
  show();
}
