// build:
// build: -O2 -DREAL=float
// parameters: n=20,steps=5
#include <algorithm>
#include <utility>
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
static REAL a[200], b[200], c[200];
static REAL *smoothed(int n, int steps, REAL *now, REAL *next, REAL edge) {
#pragma scop
  std::fill(next, next + n, edge);
  std::fill_n(c, n, 1.5);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) next[i] = (now[i - 1] + now[i + 1]) / 2 + c[i];
    std::swap(now, next);
  }
#pragma endscop
  return now;
}
static void moved(int n, REAL *x, const REAL *y) {
#pragma scop
  std::copy(y + 2, y + n, x);
  std::copy(y, y + 2, x + n);
  for (int i = 0; i < n; i++) x[i] += c[i];
  std::fill(x + 1, x + n - 1, 3);
#pragma endscop
}
int main() {
  FILL(a, 200); FILL(b, 200);
  REAL *last = smoothed(20, 5, a, b, 2); PRINT(last, 20); PRINT(a, 200); PRINT(b, 200);
  last = smoothed(20, 4, a, b, 3); PRINT(last, 20); PRINT(a, 200); PRINT(b, 200);
  last = smoothed(20, 5, a, a + 7, 1); PRINT(last, 20); PRINT(a, 200);
  moved(20, b, a); PRINT(b, 200);
  moved(20, a, a + 1); PRINT(a, 200);
  moved(20, a, a + 30); PRINT(a, 200);
}
