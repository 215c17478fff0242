/* gesummv: y = alpha A x + beta B x. */
#include <stdio.h>
#include <stdlib.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 350
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int n, DATA_TYPE (*A)[n], DATA_TYPE (*B)[n], DATA_TYPE *x) {
  for (int i = 0; i < n; ++i) {
    x[i] = (DATA_TYPE)(i % 83) / 83;
    for (int j = 0; j < n; ++j) {
      A[i][j] = (DATA_TYPE)((i * j + 1) % 89) / 89;
      B[i][j] = (DATA_TYPE)((i * j + 2) % 97) / 97;
    }
  }
}

static void gesummv(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE (*restrict A)[n],
                    DATA_TYPE (*restrict B)[n], DATA_TYPE *restrict t, DATA_TYPE *restrict x,
                    DATA_TYPE *restrict y) {
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 0.0;
    y[i] = 0.0;
    for (int j = 0; j < n; j++) {
      t[i] = A[i][j] * x[j] + t[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * t[i] + beta * y[i];
  }
#pragma endscop
}

int main(void) {
  const int n = N;
  DATA_TYPE(*A)[n] = malloc(sizeof(DATA_TYPE[n][n]));
  DATA_TYPE(*B)[n] = malloc(sizeof(DATA_TYPE[n][n]));
  DATA_TYPE *vectors = malloc(sizeof(DATA_TYPE[3 * n]));
  if (A == NULL || B == NULL || vectors == NULL) return 1;
  DATA_TYPE *t = vectors, *x = vectors + n, *y = vectors + 2 * n;
  fill(n, A, B, x);
  gesummv(n, 1.5, 1.2, A, B, t, x, y);
  printf("y %.9e\n", weigh(n, y));
  free(vectors);
  free(B);
  free(A);
  return 0;
}
