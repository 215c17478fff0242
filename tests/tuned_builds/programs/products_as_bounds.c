// build:
// build: -O2 -DUNUSED=1
// parameters: n=12,m=9
#include "checksum.h"
static double a[400], b[400], sums[4];
static void f(int n, unsigned m) {
#pragma scop
  for (int i = 0; i < n * n; i++) a[i] = 0.5 * a[i] + b[i];
  for (int i = (n - 1) * (n + 2) - 1; i > 0; i -= 2) b[i] += a[i - 1];
  for (unsigned i = 0; i < m * (unsigned)n; i++) {
    sums[0] += a[i];
    if (n * n > 100) sums[1] += 1;
  }
#pragma endscop
}
int main(void) {
  FILL(a, 400); FILL(b, 400);
  f(12, 9); f(9, 12); f(3, 0); f(0, 3);
  PRINT(a, 400); PRINT(b, 400); PRINT(sums, 4);
}
