/* trmm: B = alpha transpose(A) B, A lower triangular with a unit diagonal. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 100
#endif
#ifndef N
#define N 120
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(DATA_TYPE A[M][M], DATA_TYPE B[M][N]) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < M; ++j) A[i][j] = i == j ? 1 : j < i ? (DATA_TYPE)((i + j) % M) / M : 0;
    for (int j = 0; j < N; ++j) B[i][j] = (DATA_TYPE)((N + i - j) % N) / N;
  }
}

static void trmm(DATA_TYPE alpha, DATA_TYPE A[M][M], DATA_TYPE B[M][N]) {
  int i, j, k;
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_trmm(void *const *arrays);
  void *const tune_arrays[] = {(void *)A, (void *)B, (void *)&alpha, 0};
  tune_region_trmm(tune_arrays);
}
else {
  for (i = 0; i < M; i++)
    for (j = 0; j < N; j++) {
      for (k = i + 1; k < M; k++) B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
}
}

int main(void) {
  static DATA_TYPE A[M][M], B[M][N];
  fill(A, B);
  trmm(1.5, A, B);
  printf("B %.9e\n", weigh(M * N, &B[0][0]));
  return 0;
}
