/* seidel-2d: nine-point Gauss-Seidel smoothing, in place. */
#include <stdio.h>
#include <stdlib.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 10
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

static void fill(int n, DATA_TYPE (*A)[n]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = (DATA_TYPE)(i * (j + 2) % 163 + 2) / 163;
}

static void smooth(int tsteps, int n, DATA_TYPE (*restrict A)[n]) {
  int t, i, j;
#pragma scop
  for (t = 0; t <= tsteps - 1; t++)
    for (i = 1; i <= n - 2; i++)
      for (j = 1; j <= n - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                  9.0;
#pragma endscop
}

int main(void) {
  const int n = N;
  DATA_TYPE(*A)[n] = malloc(sizeof(DATA_TYPE[n][n]));
  if (A == NULL) return 1;
  fill(n, A);
  smooth(TSTEPS, n, A);
  printf("A %.9e\n", weigh(n * n, &A[0][0]));
  free(A);
  return 0;
}
