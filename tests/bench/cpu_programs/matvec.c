/* A matrix by a vector, the sum of a row in a local. */
#include <stdio.h>

#ifndef M
#define M 4000
#endif
#ifndef N
#define N 4000
#endif

static double A[M][N], x[N], y[M];

static void product(void) {
#pragma scop
  for (int i = 0; i < M; i++) {
    double acc = 0;
    for (int j = 0; j < N; j++) acc += A[i][j] * x[j];
    y[i] = acc;
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) A[i][j] = (double)((i + 3 * j) % 107) / 107;
  for (int j = 0; j < N; ++j) x[j] = (double)(j % 29) / 29;
  product();
  double sum = 0;
  for (int i = 0; i < M; ++i) sum += y[i] * (i % 13 + 1);
  printf("y %.9e\n", sum);
  return 0;
}
