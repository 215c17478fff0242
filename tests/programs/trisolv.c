/* trisolv: solves L x = b by forward substitution. */
#include <stdio.h>
#include <stdlib.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 500
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int n, DATA_TYPE (*L)[n], DATA_TYPE *b) {
  for (int i = 0; i < n; ++i) {
    b[i] = (DATA_TYPE)(i % 193) + 1;
    for (int j = 0; j < n; ++j)
      L[i][j] = i == j ? 2 : j < i ? (DATA_TYPE)((i + n - j + 1) % 197) / (197 * n) : 0;
  }
}

static void substitute(int n, DATA_TYPE (*restrict L)[n], DATA_TYPE *restrict x, DATA_TYPE *restrict b) {
  int i, j;
#pragma scop
  for (i = 0; i < n; i++) {
    x[i] = b[i];
    for (j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
#pragma endscop
}

int main(void) {
  const int n = N;
  DATA_TYPE(*L)[n] = malloc(sizeof(DATA_TYPE[n][n]));
  DATA_TYPE *x = calloc(n, sizeof *x);
  DATA_TYPE *b = malloc(n * sizeof *b);
  if (L == NULL || x == NULL || b == NULL) return 1;
  fill(n, L, b);
  substitute(n, L, x, b);
  printf("x %.9e\n", weigh(n, x));
  free(b);
  free(x);
  free(L);
  return 0;
}
