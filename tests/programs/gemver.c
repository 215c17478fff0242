/* gemver: A += u1 v1^T + u2 v2^T, x = beta A^T y + z, w = alpha A x. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 360
#endif

static DATA_TYPE A[N][N], u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < N; ++i) {
    u1[i] = (DATA_TYPE)i / N;
    u2[i] = (DATA_TYPE)(i + 1) / (2 * N);
    v1[i] = (DATA_TYPE)(i + 1) / (4 * N);
    v2[i] = (DATA_TYPE)(i + 1) / (6 * N);
    y[i] = (DATA_TYPE)(i % 71) / 71;
    z[i] = (DATA_TYPE)(i % 73) / 73;
    for (int j = 0; j < N; ++j) A[i][j] = (DATA_TYPE)((i + 7 * j) % 79) / (79 * N);
  }
}

static void gemver(int n, DATA_TYPE alpha, DATA_TYPE beta) {
  int i, j;
#pragma scop
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) x[i] = x[i] + beta * A[j][i] * y[j];
  for (i = 0; i < n; i++) x[i] = x[i] + z[i];
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}

int main(void) {
  fill();
  gemver(N, 1.5, 1.2);
  printf("w %.9e\n", weigh(N, w));
  return 0;
}
