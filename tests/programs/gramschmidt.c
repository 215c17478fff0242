/* gramschmidt: A = Q R by the modified Gram-Schmidt process. */
#include <math.h>
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 90
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

/* The diagonal keeps the columns independent. */
static void fill(int m, int n, DATA_TYPE A[m][n]) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = (DATA_TYPE)((i * j + i + 1) % m) / m + (i == j ? 8 : 0);
}

static void orthogonalise(int m, int n, DATA_TYPE A[m][n], DATA_TYPE R[n][n], DATA_TYPE Q[m][n]) {
  int i, j, k;
  DATA_TYPE norm;

#pragma scop
  for (k = 0; k < n; k++) {
    norm = 0.0;
    for (i = 0; i < m; i++) norm += A[i][k] * A[i][k];
    R[k][k] = sqrt(norm);
    for (i = 0; i < m; i++) Q[i][k] = A[i][k] / R[k][k];
    for (j = k + 1; j < n; j++) {
      R[k][j] = 0.0;
      for (i = 0; i < m; i++) R[k][j] += Q[i][k] * A[i][j];
      for (i = 0; i < m; i++) A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[M][N], R[N][N], Q[M][N];
  fill(M, N, A);
  orthogonalise(M, N, A, R, Q);
  printf("R %.9e\nQ %.9e\n", weigh(N * N, &R[0][0]), weigh(M * N, &Q[0][0]));
  return 0;
}
