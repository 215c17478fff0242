// build:
// build: -DSTEP=2
// build: -DREAL=float -DWEIGHT=3
// parameters: n=12,m=11
// Tables inside of regions, and those of which the values are known: offsets of neighbours, weights.
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
#ifndef STEP
#define STEP 1
#endif
#ifndef WEIGHT
#define WEIGHT 2
#endif
static const int dx[4] = {STEP, -STEP, 0, 0}, dy[2][2] = {{0, 0}, {1, -1}};
static REAL a[16][16], b[16][16], c[40];
static void neighbours(int n, int m) {
#pragma scop
  for (int i = 2; i < n; i++)
    for (int j = 2; j < m; j++) {
      b[i][j] = -4 * a[i][j];
      for (int k = 0; k < 4; k++) b[i][j] += a[i + dx[k]][j + dy[k / 2][k % 2]];
    }
#pragma endscop
}
static void filter(int n) {
#pragma scop
  for (int i = 1; i < n; i++) {
    static const float w[3] = {1, WEIGHT, 1};
    static const double scale = 0.25;
    REAL sum = 0;
    for (int k = 0; k < 3; k++) sum += w[k] * a[i][i + k - 1];
    c[i] = scale * sum;
  }
#pragma endscop
}
int main(void) {
  REAL *all = a[0], *results = b[0];
  FILL(all, 256);
  FILL(results, 256);
  FILL(c, 40);
  for (int n = 12; n > 6; n -= 3) {
    neighbours(n, 11);
    filter(n);
    PRINT(results, 256);
    PRINT(c, 40);
  }
}
