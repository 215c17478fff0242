/* C = transpose(A) B, each element's sum in a local. */
#include <stdio.h>

#ifndef N
#define N 500
#endif

static double A[N][N], B[N][N], C[N][N];

static void product(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++) sum += A[k][i] * B[k][j];
      C[i][j] = sum;
    }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      A[i][j] = (double)((i + 3 * j) % 17) / 17;
      B[i][j] = (double)((5 * i + j) % 19) / 19;
    }
  product();
  double sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum += C[i][j] * (i % 13 + j % 7 + 1);
  printf("C %.9e\n", sum);
  return 0;
}
