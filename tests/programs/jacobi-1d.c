/* jacobi-1d: three-point smoothing, two arrays in turn. */
#include <stdio.h>
#include <stdlib.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 100
#endif
#ifndef N
#define N 2000
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int n, DATA_TYPE *A, DATA_TYPE *B) {
  for (int i = 0; i < n; ++i) {
    A[i] = (DATA_TYPE)(i % 103 + 2) / 103;
    B[i] = (DATA_TYPE)(i % 107 + 3) / 107;
  }
}

static void smooth(int tsteps, int n, DATA_TYPE *restrict A, DATA_TYPE *restrict B) {
  int t, i;
#pragma scop
  for (t = 0; t < tsteps; t++) {
    for (i = 1; i < n - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (i = 1; i < n - 1; i++) A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
#pragma endscop
}

int main(void) {
  DATA_TYPE *A = malloc(N * sizeof *A);
  DATA_TYPE *B = malloc(N * sizeof *B);
  if (A == NULL || B == NULL) return 1;
  fill(N, A, B);
  smooth(TSTEPS, N, A, B);
  printf("A %.9e\n", weigh(N, A));
  free(B);
  free(A);
  return 0;
}
