// build:
// build: -DREAL=float
// parameters: n=11
// Elements whose subscripts are products of iterators, in arrays of parametric lengths.
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
static REAL x[20], y[20];
static void multiply(int n, const REAL packed[n * (n + 1) / 2]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    REAL sum = 0;
    for (int j = 0; j <= i; j++) sum += packed[i * (i + 1) / 2 + j] * x[j];
    y[i] = sum;
  }
#pragma endscop
}
static void spread(int n, const REAL table[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[j] += table[j][i * j % 7];
#pragma endscop
}
int main(void) {
  static REAL packed[66], table[121];
  FILL(packed, 66);
  FILL(table, 121);
  FILL(x, 20);
  FILL(y, 20);
  for (int n = 11; n > 6; n -= 2) {
    multiply(n, packed);
    PRINT(y, 20);
    spread(n, (const REAL(*)[n])table);
    PRINT(y, 20);
  }
}
