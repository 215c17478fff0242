/* Heat in a plate: two grids in turn, copied back after each step. */
#include <stdio.h>

#ifndef STEPS
#define STEPS 60
#endif
#ifndef N
#define N 700
#endif

static double now[N][N], next[N][N];

static void heat(void) {
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        next[i][j] = now[i][j] + 0.1 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] -
                                        4 * now[i][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) now[i][j] = next[i][j];
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) now[i][j] = (double)((i * j) % 113) / 113;
  heat();
  double sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum += now[i][j] * (i % 13 + j % 7 + 1);
  printf("now %.9e\n", sum);
  return 0;
}
