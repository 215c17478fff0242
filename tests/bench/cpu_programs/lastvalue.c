/* A scalar that iterations reuse and whose last value the program uses. */
#include <stdio.h>

#ifndef M
#define M 3000
#endif
#ifndef N
#define N 3000
#endif

static double A[M][N], B[M][N];
static double t;

static void squares(void) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      t = A[i][j] * 0.5 + 1;
      B[i][j] = t * t;
    }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) A[i][j] = (double)((i * 3 + j * 7) % 131) / 131;
  squares();
  double sum = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) sum += B[i][j] * (i % 13 + j % 7 + 1);
  printf("B %.9e t %.9e\n", sum, t);
  return 0;
}
