/* syr2k: lower triangle of C = alpha A B^T + alpha B A^T + beta C. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 90
#endif
#ifndef N
#define N 100
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int n, int m, DATA_TYPE C[n][n], DATA_TYPE A[n][m], DATA_TYPE B[n][m]) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m; ++k) {
      A[i][k] = (DATA_TYPE)((i * k + 1) % 167) / 167;
      B[i][k] = (DATA_TYPE)((i * k + 2) % 173) / 173;
    }
    for (int j = 0; j < n; ++j) C[i][j] = (DATA_TYPE)((i * j + 3) % 179) / 179;
  }
}

static void syr2k(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[n][n], DATA_TYPE A[n][m],
                  DATA_TYPE B[n][m]) {
  int i, j, k;
#pragma scop
  for (i = 0; i < n; i++) {
    for (j = 0; j <= i; j++) C[i][j] *= beta;
    for (k = 0; k < m; k++)
      for (j = 0; j <= i; j++) C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE C[N][N], A[N][M], B[N][M];
  fill(N, M, C, A, B);
  syr2k(N, M, 1.5, 1.2, C, A, B);
  printf("C %.9e\n", weigh(N * N, &C[0][0]));
  return 0;
}
