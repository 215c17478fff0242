// A recurrence that is the same for all lines, of which data decide what is read: next to each other and afterwards.
// build:
// build: -O2
// parameters: n=40
#include "checksum.h"

static double table[40][40], field[40][40];
static int place[40];

static void solve(int n, double lower, double middle) {
#pragma scop
  for (int i = 0; i < n; i++) {
    table[i][0] = lower / middle;
    for (int j = 1; j < n; j++) table[i][j] = lower / (middle - lower * table[i][j - 1]);
    for (int j = 0; j < n; j++) field[i][j] = table[i][place[j]] + table[i][j] * i;
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < 40; i++) place[i] = (i * 7 + 3) % 40;
  solve(40, -0.75, 3.25);
  PRINT(&table[0][0], 1600);
  PRINT(&field[0][0], 1600);
  return 0;
}
