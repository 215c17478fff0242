/* symm: C = alpha A B + beta C, A symmetric with its lower triangle stored. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 100
#endif
#ifndef N
#define N 110
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

/* The upper triangle is never read by a right program. */
static void fill(DATA_TYPE C[M][N], DATA_TYPE A[M][M], DATA_TYPE B[M][N]) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      C[i][j] = (DATA_TYPE)((i + j) % 100) / M;
      B[i][j] = (DATA_TYPE)((N + i - j) % 100) / M;
    }
    for (int j = 0; j < M; ++j) A[i][j] = j <= i ? (DATA_TYPE)((i + j) % 100) / M : -999;
  }
}

static void symm(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[M][N], DATA_TYPE A[M][M], DATA_TYPE B[M][N]) {
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_symm(void *const *arrays);
  void *const tune_arrays[] = {0, (void *)&alpha, (void *)B, (void *)A, (void *)C, (void *)&beta, 0};
  tune_region_symm(tune_arrays);
}
else {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      DATA_TYPE sum;
      sum = 0;
      for (int k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        sum += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
    }
}
}

int main(void) {
  static DATA_TYPE C[M][N], A[M][M], B[M][N];
  fill(C, A, B);
  symm(1.5, 1.2, C, A, B);
  printf("C %.9e\n", weigh(M * N, &C[0][0]));
  return 0;
}
