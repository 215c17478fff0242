// build:
// build: -DN=60 -DSHORT=1
// parameters: n=60
#include "checksum.h"
static double x[80], h[5], y[80], z[80];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) { double w[5]; for (int k = 0; k < 5; k++) w[k] = h[k] * x[i + k]; y[i] = w[0] + w[4]; z[i] = w[2]; }
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
