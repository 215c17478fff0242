// build:
// build: -DREAL=float
// parameters: n=30
// Writes whose first and last elements several statements decide, around elements that stay.
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
static REAL a[40], b[40];
static void f(int n) {
#pragma scop
  int i = 0;
  while (i < n) {
    a[i] += b[i];
    if (i == 21) break;
    b[i + 1] += a[i];
    i += 3;
  }
  b[i] = 7;
#pragma endscop
}
int main(void) {
  FILL(a, 40);
  FILL(b, 40);
  for (int n = 30; n >= 0; n -= 5) {
    f(n);
    PRINT(a, 40);
    PRINT(b, 40);
  }
}
