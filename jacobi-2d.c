/* jacobi-2d: five-point smoothing, two arrays in turn. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 20
#endif
#ifndef N
#define N 120
#endif

static DATA_TYPE A[N][N], B[N][N];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      A[i][j] = (DATA_TYPE)(i * (j + 2) % 109 + 2) / 109;
      B[i][j] = (DATA_TYPE)(i * (j + 3) % 113 + 3) / 113;
    }
}

static void smooth(void) {
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_smooth(void *const *arrays);
  void *const tune_arrays[] = {(void *)A, (void *)B};
  tune_region_smooth(tune_arrays);
}
else {
  for (int t = 0; t < TSTEPS; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
}
}

int main(void) {
  fill();
  smooth();
  printf("A %.9e\n", weigh(N * N, &A[0][0]));
  return 0;
}
