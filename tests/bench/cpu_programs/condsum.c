/* Sums of the rows' elements above a bound, and of all of them. */
#include <stdio.h>

#ifndef M
#define M 4000
#endif
#ifndef N
#define N 4000
#endif

static double A[M][N], above[M];
static double total;

static void sums(double bound) {
#pragma scop
  total = 0;
  for (int i = 0; i < M; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) sum += A[i][j] > bound ? A[i][j] : 0;
    above[i] = sum;
    total += sum;
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) A[i][j] = (double)((i * 3 + j * 7) % 127) / 127;
  sums(0.25);
  double sum = 0;
  for (int i = 0; i < M; ++i) sum += above[i] * (i % 13 + 1);
  printf("above %.9e total %.9e\n", sum, total);
  return 0;
}
