// build:
// build: -O2 -DSTEPS=25
// device: --set wavefront_tiles=on
// Five points and coefficients, in place, in tiles of which the last ones are partial.
#include <stdio.h>

#ifndef STEPS
#define STEPS 17
#endif
#define ROWS 93
#define COLUMNS 141

static float u[ROWS][COLUMNS], f[ROWS][COLUMNS];

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      u[i][j] = (float)(i * (j + 2) % 109) / 109;
      f[i][j] = (float)(i * (j + 3) % 113) / 113;
    }
#pragma scop
  for (int t = 0; t < STEPS; t++)
    for (int i = 1; i < ROWS - 1; i++)
      for (int j = 1; j < COLUMNS - 1; j++)
        u[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
#pragma endscop
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) sum += (i % 13 + j % 7 + 1) * (double)u[i][j];
  printf("%.17g\n", sum);
  return 0;
}
