// build:
// build: -O2
// build: -DREAL=float
// parameters: n=13,tune_row_a=13,tune_row_b=13
// Conditions in values keep accesses inside of arrays that end where the loops do.
#include <stdlib.h>

#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
static void next(int n, const real *a, real *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = (i + 1 < n ? a[i + 1] : 0) + (i > 0 && a[i - 1] > 3 ? 1 : 0);
#pragma endscop
}
static void star(int n, const real *restrict a, real *restrict b) {
#pragma scop
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        b[i * n + j] += (i > 0 ? a[(i - 1) * n + j] : 0) + (i + 1 < n ? a[(i + 1) * n + j] : 0) +
                        (j > 0 ? a[i * n + j - 1] : 0) + (j < n - 1 ? a[i * n + j + 1] : 0);
#pragma endscop
}
static void rows(int n, real **a, real **b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i][j] = (i + 1 < n ? a[i + 1][j] : 0) - (j > 0 ? a[i][j - 1] : 1);
#pragma endscop
}
static void in_place(int n, real *a) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = i + 1 < n ? a[i] - a[i + 1] : 2;
#pragma endscop
}
static real *filled(int n) {
  real *a = malloc(n * sizeof *a);
  FILL(a, n);
  return a;
}
static real **table(real *all, int n) {
  real **rows_of = malloc(n * sizeof *rows_of);
  for (int i = 0; i < n; i++) rows_of[i] = all + i * n;
  return rows_of;
}
int main(void) {
  for (int n = 13; n >= 1; n -= 4) {
    real *a = filled(n * n), *b = filled(n * n), *both = filled(2 * n * n);
    real **p = table(a, n), **q = table(b, n);
    next(n, a, b);
    next(n, both, both + n);
    next(n, both, both + 1);
    star(n, a, b);
    star(n, both, both + n * n);
    rows(n, p, q);
    in_place(n, both);
    PRINT(a, n * n);
    PRINT(b, n * n);
    PRINT(both, 2 * n * n);
    free(a), free(b), free(both), free(p), free(q);
  }
}
