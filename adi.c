/* adi: alternating direction implicit steps of 2D heat diffusion, one tridiagonal solve a line. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 8
#endif
#ifndef N
#define N 80
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(DATA_TYPE u[N][N]) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) u[i][j] = (DATA_TYPE)(i + N - j) / (2 * N);
}

static void alternate(DATA_TYPE u[N][N], DATA_TYPE v[N][N], DATA_TYPE p[N][N], DATA_TYPE q[N][N]) {
  int t, i, j;
  DATA_TYPE dx, dy, dt, b1, b2, mul1, mul2, a, b, c, d, e, f;

/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
if (1)
{
  extern void tune_region_alternate(void *const *arrays);
  void *const tune_arrays[] = {(void *)&dx, (void *)&dy, (void *)&dt, (void *)&b1, (void *)&b2, (void *)&mul1, (void *)&mul2, (void *)&a, (void *)&b, (void *)&c, (void *)&d, (void *)&e, (void *)&f, (void *)v, (void *)p, (void *)q, (void *)u, 0, 0, 0, 0, 0};
  tune_region_alternate(tune_arrays);
}
else {
  dx = 1.0 / (DATA_TYPE)N;
  dy = 1.0 / (DATA_TYPE)N;
  dt = 1.0 / (DATA_TYPE)TSTEPS;
  b1 = 2.0;
  b2 = 1.0;
  mul1 = b1 * dt / (dx * dx);
  mul2 = b2 * dt / (dy * dy);
  a = -mul1 / 2.0;
  b = 1.0 + mul1;
  c = a;
  d = -mul2 / 2.0;
  e = 1.0 + mul2;
  f = d;

  for (t = 1; t <= TSTEPS; t++) {
    for (i = 1; i < N - 1; i++) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (j = 1; j < N - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
                  (a * p[i][j - 1] + b);
      }
      v[N - 1][i] = 1.0;
      for (j = N - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (i = 1; i < N - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (j = 1; j < N - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
                  (d * p[i][j - 1] + e);
      }
      u[i][N - 1] = 1.0;
      for (j = N - 2; j >= 1; j--) u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

int main(void) {
  static DATA_TYPE u[N][N], v[N][N], p[N][N], q[N][N];
  fill(u);
  alternate(u, v, p, q);
  printf("u %.9e\n", weigh(N * N, &u[0][0]));
  return 0;
}
