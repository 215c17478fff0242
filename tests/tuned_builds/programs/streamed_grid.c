// build:
// device: --set streamed_tiles=on --analysis-limit 8
// A staggered grid: three arrays that are updated in place, and a row of the boundary that the step decides.
#include <stdio.h>

#define STEPS 7
#define ROWS 149
#define COLUMNS 283

static double across[ROWS][COLUMNS], along[ROWS][COLUMNS], height[ROWS][COLUMNS], source[STEPS];

int main(void) {
  for (int t = 0; t < STEPS; t++) source[t] = t * 0.25;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      across[i][j] = (double)(i * (j + 1) % 31) / 31;
      along[i][j] = (double)(i * (j + 2) % 37) / 37;
      height[i][j] = (double)(i * (j + 3) % 41) / 41;
    }
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    for (int j = 0; j < COLUMNS; j++) along[0][j] = source[t];
    for (int i = 1; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++) along[i][j] -= 0.5 * (height[i][j] - height[i - 1][j]);
    for (int i = 0; i < ROWS; i++)
      for (int j = 1; j < COLUMNS; j++) across[i][j] -= 0.5 * (height[i][j] - height[i][j - 1]);
    for (int i = 0; i < ROWS - 1; i++)
      for (int j = 0; j < COLUMNS - 1; j++)
        height[i][j] -= 0.7 * (across[i][j + 1] - across[i][j] + along[i + 1][j] - along[i][j]);
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      sum += (i % 13 + j % 7 + 1) * (height[i][j] + 2 * across[i][j] + 3 * along[i][j]);
  printf("%.17g\n", sum);
  return 0;
}
