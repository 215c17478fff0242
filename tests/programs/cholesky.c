/* cholesky: lower factor of a symmetric positive definite matrix, in place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 160
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

/* Diagonal dominance makes it positive definite. */
static void fill(int n, DATA_TYPE (*A)[n]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = i == j ? n : 1 / (DATA_TYPE)(1 + (i < j ? j - i : i - j));
}

static void cholesky(int n, DATA_TYPE (*restrict A)[n]) {
  int i, j, k;
#pragma scop
  for (i = 0; i < n; i++) {
    for (j = 0; j < i; j++) {
      for (k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
#pragma endscop
}

int main(void) {
  const int n = N;
  DATA_TYPE(*A)[n] = malloc(sizeof(DATA_TYPE[n][n]));
  if (A == NULL) return 1;
  fill(n, A);
  cholesky(n, A);
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) A[i][j] = 0;
  printf("L %.9e\n", weigh(n * n, &A[0][0]));
  free(A);
  return 0;
}
