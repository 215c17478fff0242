// A program with a space of useful size that is analysed in milliseconds.
#include <stdio.h>

#define N 64

static double a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i + j) % 7;
      b[i][j] = (i * j) % 5;
    }
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
    }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += c[i][j];
  printf("%.6f\n", sum);
  return 0;
}
