// build:
// build: -DN=60 -DSHORT=1
// parameters: n=60
#include "checksum.h"
static double x[80], h[5], y[80], z[80];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) { int c = i % 4; y[i] = x[i] + c; z[i] = c * h[0]; }
#pragma endscop
}
int main(void) {
  FILL(x, 80); FILL(h, 5); FILL(y, 80); FILL(z, 80);
  f(60);
#ifdef SHORT
  f(37);
  f(0);
#endif
  f(60);
  PRINT(y, 80); PRINT(z, 80);
}
