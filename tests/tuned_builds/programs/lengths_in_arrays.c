// build:
// build: -DCOUNT=short
// build: -DCOUNT=int -O2
// parameters: tune_grid_0=9,tune_grid_1=7,tune_at_1_0=4
#include "checksum.h"
#ifndef COUNT
#define COUNT int
#endif
COUNT grid[3] = {9, 7, 2};
static int at[40][2] = {{1, 2}, {4, 3}};
double u[12][10], rhs[12][10];
void add(void) {
#pragma scop
  for (int i = 1; i < grid[0] - 1; i++)
    for (int j = 1; j <= grid[1] - 2; j++) u[i][j] = u[i][j] + grid[0] * rhs[i][j];
#pragma endscop
}
void shift(int n, int *to) {
#pragma scop
  for (int i = 0; i < at[1][0]; i++) to[i] = 5 + at[1][0] * i;
#pragma endscop
}
int main(void) {
  FILL(&u[0][0], 120);
  FILL(&rhs[0][0], 120);
  add();
  PRINT(&u[0][0], 120);
  /* Other sizes, one iteration, none. */
  grid[0] = 12, grid[1] = 9; add();
  grid[0] = 3, grid[1] = 3; add();
  grid[1] = -1; add();
  grid[0] = 9, grid[1] = 7; add();
  PRINT(&u[0][0], 120);
  int to[20];
  FILL(to, 20);
  shift(20, to);
  PRINT(to, 20);
  /* The length is among what is written, and becomes another one on the way. */
  shift(20, &at[0][0]);
  PRINT(&at[0][0], 80);
  at[1][0] = 4; shift(20, &at[1][0]);
  PRINT(&at[0][0], 80);
  at[1][0] = 4; shift(20, &at[1][1]);
  PRINT(&at[0][0], 80);
}
