// build:
// build: -O2
// parameters: n=20
#include "checksum.h"
void f(int n, double *restrict a, double *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[2 * i] = a[i] + b[2 * i];
#pragma endscop
}
static double x[100], y[100];
int main(void) { FILL(x, 100); FILL(y, 100); f(20, x, y); f(20, x + 30, y + 41); f(11, x, y); PRINT(y, 100); }
