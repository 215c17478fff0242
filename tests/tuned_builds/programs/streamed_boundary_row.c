// build:
// build: -O2 -DSTEPS=9
// device: --set streamed_tiles=on --analysis-limit 8
// Five points, a boundary row that is made of elements beside it, and a copy back.
#include <stdio.h>

#ifndef STEPS
#define STEPS 11
#endif
#define ROWS 147
#define COLUMNS 300

static float a[ROWS][COLUMNS], b[ROWS][COLUMNS];

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      a[i][j] = (float)(i * (j + 2) % 109) / 109;
      b[i][j] = (float)(i * (j + 3) % 113) / 113;
    }
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < ROWS - 1; i++)
      for (int j = 1; j < COLUMNS - 1; j++)
        b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    for (int j = 1; j < COLUMNS - 1; j++) b[0][j] = 0.25f * (a[0][j - 1] + a[0][j + 1] + 2 * a[1][j]);
    for (int i = 0; i < ROWS - 1; i++)
      for (int j = 1; j < COLUMNS - 1; j++) a[i][j] = b[i][j];
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) sum += (i % 13 + j % 7 + 1) * (double)(a[i][j] + 2 * b[i][j]);
  printf("%.17g\n", sum);
  return 0;
}
