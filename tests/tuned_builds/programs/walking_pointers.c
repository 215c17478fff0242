// build:
// build: -O2 -DREAL=float
// parameters: n=37
// Pointers that move along arrays.
#include <math.h>
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
static REAL a[80], b[80], c[4];
static REAL dot(const REAL *x, const REAL *y, int n) {
  REAL sum = 0;
#pragma scop
  while (n-- > 0) sum += *x++ * *y++;
#pragma endscop
  return sum;
}
static void filter(const REAL *from, REAL *to, int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    const REAL *x = from + i;
    REAL t = 0;
    for (int k = 0; k < 4; k++) t += c[k] * *x++;
    *to++ = fabs(t);
  }
#pragma endscop
}
static void pairs(const REAL *x, REAL *y, int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[0] += x[0] * x[1] - y[i];
    x += 2;
    y++;
  }
#pragma endscop
}
static void scale(int n) {
#pragma scop
  for (REAL *p = a; p < a + n; p++) *p *= 2;
  REAL *even = b;
  for (int i = 0; i < n / 2; i++, even += 2) *even -= a[i];
#pragma endscop
}
int main(void) {
  FILL(a, 80);
  FILL(b, 80);
  for (int k = 0; k < 4; k++) c[k] = 0.125 * (k + 1);
  for (int n = 37; n > 7; n -= 29) {
    REAL d = dot(a, b, n);
    PRINT(&d, 1);
    filter(a, b, n);
    PRINT(b, 80);
    pairs(a, b + 7, n);
    PRINT(b, 80);
    pairs(a, a + 7, n);
    scale(n);
    PRINT(a, 80);
    PRINT(b, 80);
    // The results are where the inputs are.
    filter(a, a + 2, n);
    PRINT(a, 80);
  }
}
