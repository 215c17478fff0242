// build:
// build: -DSTEP=3
// build: -O2 -DUNUSED=1
// parameters: n=90,step=2
#include "checksum.h"
#ifndef STEP
#define STEP 2
#endif
static double a[400], b[400];
static void f(int n, int step) {
  int i, j, k, behind;
#pragma scop
  for (i = 0; i < n; i += step) {
    a[i] += b[i ^ 1];
    b[(i | 4) + 200] += a[i] * 0.5;
  }
  k = 0;
  for (i = 0; i < 20; i++) {
    for (j = 0; j < 5; j++) {
      a[k + 100] += b[3 * k];
      k++;
    }
    a[k] *= 0.75;
  }
  b[k] = 1;
  behind = n;
  do {
    a[behind] += 0.5 * a[behind - 1];
    behind -= step;
  } while (behind > 100);
  b[behind + 2] += 2;
#pragma endscop
}
int main(void) {
  FILL(a, 400); FILL(b, 400);
  f(90, STEP); f(131, STEP); f(1, STEP);
  PRINT(a, 400); PRINT(b, 400);
}
