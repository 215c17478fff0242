// build:
// build: -O2 -DLIMIT=3
// parameters: n=40,m=13
// Loops that a `break` ends.
#include "checksum.h"
#ifndef LIMIT
#define LIMIT 9
#endif
static double a[64], b[64][32];
static void f(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    if (i > 2 * m) break;
    for (int j = 0; j < 32; j++) {
      b[i][j] *= 2;
      if (j == i) break;
      b[i][j] += a[i];
      if (j >= LIMIT) break;
      b[i][j] -= i;
    }
    a[i] += b[i][0];
  }
#pragma endscop
}
int main(void) {
  FILL(a, 64);
  FILL(&b[0][0], 64 * 32);
  f(40, 13);
  PRINT(a, 64);
  PRINT(&b[0][0], 64 * 32);
  f(40, 50);
  f(2, 0);
  f(64, -3);
  PRINT(a, 64);
  PRINT(&b[0][0], 64 * 32);
}
