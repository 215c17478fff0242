// build:
// build: -DFLAG=char
// build: -DFLAG=short
// build: -O2 -DUNUSED=1
// parameters: n=60
#include <stdbool.h>
#include "checksum.h"
#ifndef FLAG
#define FLAG bool
#endif
static double a[100], b[100];
static FLAG large[100], grid[5][100], seen;
static int count[100];
static void mark(int n, FLAG *marks) {
#pragma scop
  for (int i = 0; i < n; i++) {
    const bool even = !(i & 1);
    large[i] = a[i] - 12;
    grid[2][i] = large[i] + grid[1][i];
    grid[3][i] += count[i] - 1;
    marks[i] = count[i] * 256;
    if (large[i] && even) b[i] += grid[3][i];
    seen |= large[i];
  }
  for (int i = 0; i < n; i++) {
    FLAG any = 0;
    for (int j = 0; j < 5; j++) any |= grid[j][i];
    count[i] += any + (bool)(b[i] - 3) + marks[i];
  }
#pragma endscop
}
int main(void) {
  static FLAG marks[100];
  FILL(a, 100); FILL(b, 100); FILL(count, 100);
  for (int i = 0; i < 100; i++) count[i] -= 2, large[i] = i % 3 == 0, grid[1][i] = i % 2, grid[3][i] = i % 5 == 0;
  mark(60, marks); mark(23, marks); mark(60, &grid[1][30]);
  PRINT(a, 100); PRINT(b, 100); PRINT(count, 100); PRINT(large, 100); PRINT(marks, 100);
  for (int i = 0; i < 5; i++) PRINT(grid[i], 100);
  PRINT(&seen, 1);
}
