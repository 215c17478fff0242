// build:
// build: -O2 -DUNUSED=1
// parameters: n=30
#include "checksum.h"
int main(void) {
  int n = 30;
  double a[n][n + 3], b[n];
  FILL(&a[0][0], n * (n + 3)); FILL(b, n);
#pragma scop
  for (int i = 0; i < n; i++) { b[i] = 0; for (int j = 0; j < n + 3; j++) b[i] += a[i][j]; }
#pragma endscop
  PRINT(b, n);
}
