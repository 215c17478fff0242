/* lu: LU factors without pivoting, in place. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 140
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

/* Diagonal dominance makes pivoting needless. */
static void fill(int n, DATA_TYPE A[n][n]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = i == j ? n : (DATA_TYPE)((3 * i + 5 * j) % 127) / 127;
}

static void factor(int n, DATA_TYPE A[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N];
  fill(N, A);
  factor(N, A);
  printf("A %.9e\n", weigh(N * N, &A[0][0]));
  return 0;
}
