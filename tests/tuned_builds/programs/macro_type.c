// build:
// build: -DREAL=float
// build: -DREAL=int
// build: -DREAL=long
// parameters: n=50
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
void f(int n, REAL a[n], REAL b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) { REAL t = a[i] * (REAL)0.1; b[i] = t + b[i]; }
#pragma endscop
}
int main(void) { REAL a[50], b[50]; FILL(a, 50); FILL(b, 50); f(50, a, b); PRINT(b, 50); }
