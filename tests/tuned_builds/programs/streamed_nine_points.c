// build:
// device: --set streamed_tiles=on --analysis-limit 8
// Nine points of which some are two away, coefficients, a row of the boundary, and no step that fills a tile.
#include <stdio.h>

#define STEPS 9
#define ROWS 157
#define COLUMNS 293

static double u[ROWS][COLUMNS], v[ROWS][COLUMNS], weight[ROWS][COLUMNS];

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      u[i][j] = (i * 7 + j * 3) % 11;
      v[i][j] = (i + j) % 5;
      weight[i][j] = 1.0 / (1 + i * j % 7);
    }
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    for (int j = 2; j < COLUMNS - 3; j++) u[1][j] = v[1][j] * 0.5;
    for (int i = 2; i < ROWS - 3; i++)
      for (int j = 2; j < COLUMNS - 3; j++)
        u[i][j] = 0.1 * (v[i - 1][j - 1] + v[i - 1][j] + v[i - 1][j + 1] + v[i][j - 1] + v[i][j] * weight[i][j] +
                         v[i][j + 2] + v[i + 1][j - 1] + v[i + 2][j] + v[i + 1][j + 1]);
    for (int i = 2; i < ROWS - 3; i++)
      for (int j = 2; j < COLUMNS - 3; j++)
        v[i][j] = u[i][j] * 0.9 + u[i - 1][j - 1] * 0.05 + 0.01 * v[i][j];
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) sum += (i % 13 + j % 7 + 1) * (u[i][j] + 2 * v[i][j]);
  printf("%.17g\n", sum);
  return 0;
}
