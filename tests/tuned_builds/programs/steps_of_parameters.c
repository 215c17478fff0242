// build:
// build: -DSTEP=3
// build: -DSTEP=-2
// build: -DTYPE=unsigned
// parameters: n=90,step=2
// options: --constant step=2
// Steps that calls decide about: tuned code is for one of them.
#include "checksum.h"
#ifndef STEP
#define STEP 2
#endif
#ifndef TYPE
#define TYPE int
#endif
static double a[400], b[600];
static void f(int n, TYPE step) {
#pragma scop
  for (int i = 0; i < n && i >= 0; i += step) a[i] += b[i * step + 30] * 0.5;
  for (int i = n; i > 0; i -= 2) b[i / step + 60] = a[i] + step;
#pragma endscop
}
int main(void) {
  FILL(a, 400);
  FILL(b, 600);
  for (int n = 90; n >= 0; n -= 45) {
    f(n, STEP);
    f(n, 2);
    f(n, 1);
    f(n, 5);
  }
  PRINT(a, 400);
  PRINT(b, 600);
}
