// build:
// build: -O2
// build: -DREAL=double
// parameters: n=13,m=11
#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
typedef REAL real;
static void average(int n, int m, real *restrict to, const real *restrict from) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int up = (i + n - 1) % n, down = (i + 1) % n, left = ((j - 1) % m + m) % m, right = (j + 1) % m;
      to[i * m + j] = (from[up * m + j] + from[down * m + j] + from[i * m + left] + from[i * m + right]) / 4;
    }
#pragma endscop
}
static void life(int n, int m, unsigned char next[n][m], const unsigned char now[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int count = 0;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          if (di != 0 || dj != 0) count += now[(i + di + n) % n][(j + dj + m) % m];
      next[i][j] = count == 3 || (count == 2 && now[i][j]);
    }
#pragma endscop
}
static void turn(unsigned n, real *restrict to, const real *restrict from) {
#pragma scop
  for (unsigned i = 0; i < 3 * n; i++) to[i % n] += from[i] + (int)(i / n) - (int)((i + 1) % n);
#pragma endscop
}
static void pick(int n, real *restrict to, const real *restrict from) {
#pragma scop
  for (int i = 0; i < n; i++) to[i] = from[(i + 1) / n];
#pragma endscop
}
int main(void) {
  static const int sizes[][2] = {{13, 11}, {1, 1}, {2, 1}, {1, 7}, {40, 33}};
  for (int k = 0; k < 5; k++) {
    const int n = sizes[k][0], m = sizes[k][1];
    real a[n * m], b[n * m], c[3 * n];
    unsigned char now[n][m], next[n][m];
    FILL(b, n * m);
    FILL(c, 3 * n);
    FILL(a, n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) now[i][j] = (i * 5 + j * 3) % 7 < 3;
    turn(n, a, c);
    PRINT(a, n);
    pick(n, a, c);
    PRINT(a, n);
    average(n, m, a, b);
    PRINT(a, n * m);
    life(n, m, next, now);
    PRINT(&next[0][0], n * m);
  }
}
