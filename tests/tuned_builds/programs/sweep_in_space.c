// build:
// device: --set wavefront_tiles=on
// One sweep of Gauss and Seidel in space, with a second array that follows it and other values at one side.
#include <stdio.h>

#define N 70

static float u[N][N + 5][N + 9], v[N][N + 5][N + 9];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N + 5; j++)
      for (int k = 0; k < N + 9; k++) {
        u[i][j][k] = (float)(i * (j + 2) * (k + 1) % 109) / 109;
        v[i][j][k] = (float)(i + j + k) / 113;
      }
#pragma scop
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N + 4; j++)
      for (int k = 1; k < N + 8; k++) {
        u[i][j][k] = (u[i - 1][j][k] + u[i][j - 1][k] + u[i][j][k - 1] + u[i + 1][j][k] + u[i][j + 1][k] +
                      u[i][j][k + 1] + v[i][j - 1][k]) /
                     7.0f;
        if (k > 3) v[i][j][k] = 0.5f * v[i][j][k - 1] + 0.25f * u[i][j][k];
      }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N + 5; j++)
      for (int k = 0; k < N + 9; k++) sum += (i % 13 + j % 7 + k % 5 + 1) * (double)(u[i][j][k] + v[i][j][k]);
  printf("%.6g\n", sum);
  return 0;
}
