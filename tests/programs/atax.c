/* atax: y = transpose(A) (A x). */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 380
#endif
#ifndef N
#define N 420
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int m, int n, DATA_TYPE A[m][n], DATA_TYPE x[n]) {
  for (int j = 0; j < n; ++j) x[j] = 1 + (DATA_TYPE)j / n;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = (DATA_TYPE)((i + 3 * j) % 31) / (31 * m);
}

static void atax(int m, int n, DATA_TYPE A[m][n], DATA_TYPE x[n], DATA_TYPE y[n], DATA_TYPE t[m]) {
#pragma scop
  for (int i = 0; i < n; i++) y[i] = 0;
  for (int i = 0; i < m; i++) {
    t[i] = 0.0;
    for (int j = 0; j < n; j++) t[i] = t[i] + A[i][j] * x[j];
    for (int j = 0; j < n; j++) y[j] = y[j] + A[i][j] * t[i];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[M][N], x[N], y[N], t[M];
  fill(M, N, A, x);
  atax(M, N, A, x, y, t);
  printf("y %.9e\n", weigh(N, y));
  return 0;
}
