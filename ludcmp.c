/* ludcmp: solves A x = b through LU factors and two triangular solves. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 130
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

/* Diagonal dominance makes pivoting needless. */
static void fill(DATA_TYPE A[N][N], DATA_TYPE b[N]) {
  for (int i = 0; i < N; ++i) {
    b[i] = (DATA_TYPE)(i + 1) / (2 * N) + 4;
    for (int j = 0; j < N; ++j) A[i][j] = i == j ? N : (DATA_TYPE)((7 * i + 2 * j) % 131) / 131;
  }
}

static void solve(DATA_TYPE A[N][N], DATA_TYPE b[N], DATA_TYPE x[N], DATA_TYPE y[N]) {
  int i, j, k;
  DATA_TYPE w;

/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
if (1)
{
  extern void tune_region_solve(void *const *arrays);
  void *const tune_arrays[] = {(void *)A, (void *)&w, (void *)b, (void *)y, (void *)x, 0, 0, 0, 0};
  tune_region_solve(tune_arrays);
}
else {
  for (i = 0; i < N; i++) {
    for (j = 0; j < i; j++) {
      w = A[i][j];
      for (k = 0; k < j; k++) w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (j = i; j < N; j++) {
      w = A[i][j];
      for (k = 0; k < i; k++) w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (i = 0; i < N; i++) {
    w = b[i];
    for (j = 0; j < i; j++) w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (i = N - 1; i >= 0; i--) {
    w = y[i];
    for (j = i + 1; j < N; j++) w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

int main(void) {
  static DATA_TYPE A[N][N], b[N], x[N], y[N];
  fill(A, b);
  solve(A, b, x, y);
  printf("x %.9e\ny %.9e\nA %.9e\n", weigh(N, x), weigh(N, y), weigh(N * N, &A[0][0]));
  return 0;
}
