// build:
// build: -O2 -DELEMENT=float
// build: -O1 -DSHIFT=2
// parameters: n=61
#include "checksum.h"
#ifndef ELEMENT
#define ELEMENT double
#endif
#ifndef SHIFT
#define SHIFT 3
#endif
void f(int n, ELEMENT c[n + 7][n + 9], ELEMENT a[n + 5][n + 5], ELEMENT b[n + 2][n + 11]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = SHIFT; j < n; j++)
      for (int k = 1; k < n; k++) c[i + 2][j + 1] -= a[k][i + SHIFT] * b[k][j + 5];
#pragma endscop
}
static ELEMENT x[5000], y[5000], z[5000];
int main(void) {
  FILL(x, 5000); FILL(y, 5000); FILL(z, 5000);
  f(61, (ELEMENT (*)[70])x, (ELEMENT (*)[66])y, (ELEMENT (*)[72])z);
  f(20, (ELEMENT (*)[29])x, (ELEMENT (*)[25])y, (ELEMENT (*)[31])z);
  f(61, (ELEMENT (*)[70])x, (ELEMENT (*)[66])y, (ELEMENT (*)[72])y);
  PRINT(x, 5000);
}
