// build:
// build: -O2 -DREAL=float
// parameters: n=20,m=15
// Pointers that may be null: tuned code is for calls in which they are not.
#include <stddef.h>
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
static REAL a[400], b[400], c[400], bias[20];
static void biased(int n, int m, REAL *y, const REAL *x, const REAL *w, const REAL *bias) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int o = 0; o < m; o++) {
      REAL sum = (bias != NULL) ? bias[o] : 0;
      for (int k = 0; k < n; k++) sum += x[i * n + k] * w[o * n + k];
      y[i * m + o] = sum;
    }
#pragma endscop
}
static void optional(int n, REAL *y, const REAL *x, const REAL *scale, const REAL *shift) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = x[i];
    if (scale) y[i] *= scale[i];
    if (!shift || NULL == scale) y[i] += 1;
    if (0 != shift && x[i] > 3) y[i] += shift[i];
  }
#pragma endscop
}
int main(void) {
  FILL(a, 400); FILL(b, 400); FILL(bias, 20);
  biased(20, 15, c, a, b, bias); PRINT(c, 400);
  biased(20, 15, c, a, b, NULL); PRINT(c, 400);
  biased(7, 5, c, a, b, bias); PRINT(c, 400);
  optional(20, c, a, b, bias); PRINT(c, 400);
  optional(20, c, a, NULL, bias); PRINT(c, 400);
  optional(20, c, a, b, NULL); PRINT(c, 400);
  optional(20, c, a, NULL, NULL); PRINT(c, 400);
  optional(20, c, a, c, bias); PRINT(c, 400);
}
