/* syrk: lower triangle of C = alpha A A^T + beta C. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 110
#endif
#ifndef N
#define N 120
#endif

static DATA_TYPE C[N][N], A[N][M];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < M; ++k) A[i][k] = (DATA_TYPE)((i * k + 1) % 181) / 181;
    for (int j = 0; j < N; ++j) C[i][j] = (DATA_TYPE)((i * j + 2) % 191) / 191;
  }
}

static void syrk(DATA_TYPE alpha, DATA_TYPE beta) {
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_syrk(void *const *arrays);
  void *const tune_arrays[] = {(void *)&beta, (void *)C, (void *)&alpha, (void *)A};
  tune_region_syrk(tune_arrays);
}
else {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++) C[i][j] *= beta;
    for (int k = 0; k < M; k++) {
      for (int j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k];
    }
  }
}
}

int main(void) {
  fill();
  syrk(1.5, 1.2);
  printf("C %.9e\n", weigh(N * N, &C[0][0]));
  return 0;
}
