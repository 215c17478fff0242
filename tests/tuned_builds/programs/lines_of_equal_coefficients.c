// Tridiagonal solves of many lines with the same coefficients (Thomas' algorithm), along rows and along columns.
// build:
// build: -O2
// parameters: n=40,steps=3
#include "checksum.h"

static double field[40][40], rest[40][40], upper[40];
static float narrow[40][40], factor[40];

static void solve(int n, int steps, double lower, double middle, double start) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      upper[0] = lower / middle;
      rest[i][0] = field[i][0] / middle;
      for (int j = 1; j < n; j++) {
        double pivot = middle - lower * upper[j - 1];
        upper[j] = lower / pivot;
        rest[i][j] = (field[i][j] - lower * rest[i][j - 1]) / pivot;
      }
      field[i][n - 1] = rest[i][n - 1];
      for (int j = n - 2; j >= 0; j--) field[i][j] = rest[i][j] - upper[j] * field[i][j + 1];
    }
    for (int j = 0; j < n; j++) {
      factor[n - 1] = start;
      for (int i = n - 2; i >= 0; i--) {
        factor[i] = 1 / (2.5f - factor[i + 1]);
        narrow[i][j] = (narrow[i + 1][j] + (float)field[i][j]) * factor[i];
      }
    }
  }
#pragma endscop
}

int main(void) {
  FILL(&field[0][0], 1600);
  FILL(&narrow[0][0], 1600);
  solve(40, 3, -0.75, 3.25, 0.5);
  PRINT(&field[0][0], 1600);
  PRINT(&rest[0][0], 1600);
  PRINT(upper, 40);
  PRINT(&narrow[0][0], 1600);
  PRINT(factor, 40);
  return 0;
}
