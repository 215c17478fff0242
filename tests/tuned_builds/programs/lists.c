// build:
// build: -O2
// build: -DREAL=float
// parameters: n=40
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
static REAL a[42], b[40];
static int c[40];
static void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    const REAL w[3] = {0.25, 0.5, 0.25};
    REAL sum[2] = {0};
    int counts[2][2] = {{i, 1}, {2}};
    for (int k = 0; k < 3; k++) {
      sum[k % 2] += w[k] * a[i + k];
      counts[1][k / 2] += counts[0][k % 2];
    }
    b[i] = sum[0] - 3 * sum[1];
    c[i] = counts[1][0] * 10 + counts[1][1];
  }
#pragma endscop
}
int main(void) {
  FILL(a, 42);
  f(40);
  f(13);
  PRINT(b, 40);
  PRINT(c, 40);
}
