// build:
// build: -O2 -DREAL=float
// parameters: n=23
// Loops over two variables that meet, and `continue` in a `switch`.
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
static REAL a[100], b[100];
static int kinds[100];
static void reversed(int n, REAL *x) {
  int i, j;
#pragma scop
  for (i = 0, j = n - 1; i < j; i++, j--) {
    REAL t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
#pragma endscop
}
static void outwards(int n, REAL *x, REAL *y) {
#pragma scop
  for (int i = n, j = 1; 2 * j + 3 < i + 4; i -= 2) {
    y[j] += x[i] * j;
    j += 3;
  }
#pragma endscop
}
static void crossing(int n, REAL *x) {
#pragma scop
  int low = 0, high = n - 1;
  while (low <= high) {
    x[low] += 2 * x[high];
    high -= 1;
    low++;
  }
#pragma endscop
}
static void chosen(int n, REAL *x, const REAL *y) {
#pragma scop
  for (int i = 0; i < n; i++) {
    switch (kinds[i] % 5) {
      case 0:
        x[i] = 1;
        continue;
      case 1: {
        x[i] += y[i];
        break;
      }
      case 2:
      case 3:
        x[i] *= 2;
      default: {
        if (y[i] > 4) x[i] -= y[i];
        continue;
      }
    }
    x[i] = 3 * x[i] + y[i];
  }
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0) {
      x[i] += 1;
    } else if (i > 7) {
      x[i] -= 2;
      continue;
    } else {
      x[i] += 3;
    }
    x[i] *= y[i];
  }
#pragma endscop
}
int main(void) {
  FILL(a, 100); FILL(b, 100); FILL(kinds, 100);
  reversed(23, a); PRINT(a, 100);
  reversed(8, a); reversed(1, a); reversed(0, a); PRINT(a, 100);
  outwards(23, a, b); PRINT(b, 100);
  outwards(40, a, b); PRINT(b, 100);
  crossing(23, b); PRINT(b, 100);
  crossing(6, b); PRINT(b, 100);
  chosen(23, a, b); PRINT(a, 100);
  chosen(50, a, b); PRINT(a, 100);
}
