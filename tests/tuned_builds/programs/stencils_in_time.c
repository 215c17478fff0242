// build:
// build: -O2 -DSTEPS=7
// Steps that are tiled in time: nine points with conditions at the boundary, and a staggered grid.
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif

#define ROWS 131
#define COLUMNS 107
#ifndef STEPS
#define STEPS 13
#endif

static DATA_TYPE u[ROWS][COLUMNS], v[ROWS][COLUMNS], weight[ROWS][COLUMNS];
static DATA_TYPE height[ROWS][COLUMNS], across[ROWS][COLUMNS], along[ROWS][COLUMNS];

static void diffuse(void) {
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < ROWS - 1; i++)
      for (int j = 1; j < COLUMNS - 1; j++)
        v[i][j] = u[i][j] + weight[i][j] * (u[i - 1][j - 1] + u[i - 1][j + 1] + u[i + 1][j - 1] + u[i + 1][j + 1] +
                                            u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 8 * u[i][j]);
    for (int j = 1; j < COLUMNS - 1; j++) {
      v[0][j] = v[1][j];
      v[ROWS - 1][j] = v[ROWS - 2][j];
    }
    for (int i = 0; i < ROWS; i++) {
      v[i][0] = v[i][1];
      v[i][COLUMNS - 1] = v[i][COLUMNS - 2];
    }
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++) u[i][j] = v[i][j];
  }
#pragma endscop
}

static void flow(DATA_TYPE step) {
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < ROWS - 1; i++)
      for (int j = 0; j < COLUMNS; j++) across[i][j] -= step * (height[i + 1][j] - height[i][j]);
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS - 1; j++) along[i][j] -= step * (height[i][j + 1] - height[i][j]);
    for (int i = 1; i < ROWS - 1; i++)
      for (int j = 1; j < COLUMNS - 1; j++)
        height[i][j] -= step * (across[i][j] - across[i - 1][j] + along[i][j] - along[i][j - 1]);
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      u[i][j] = (DATA_TYPE)(i * 31 + j * 17 % 101) / 97;
      weight[i][j] = (DATA_TYPE)((i + j) % 7) / 70;
      height[i][j] = 1 + (DATA_TYPE)(i * j % 31) / 310;
    }
  diffuse();
  flow((DATA_TYPE)0.1);
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      sum += (i * 3 + j % 13 + 1) * (double)(u[i][j] + height[i][j]) + i % 7 * (double)across[i][j] +
             j % 5 * (double)(along[i][j] + v[i][j]);
  printf("%.9e\n", sum);
  return 0;
}
