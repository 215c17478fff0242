// build:
// build: -O2
// parameters: n=30
#include "checksum.h"
void f(int n, double a[n], double b[n]) {
#pragma scop
  for (int i = 1; i < n; i++) b[i] = a[i - 1] + a[i];
#pragma endscop
}
static double x[100];
int main(void) {
  FILL(x, 100);
  f(30, x, x + 50);
  f(30, x, x);
  f(30, x, x + 1);
  f(30, x + 10, x);
  PRINT(x, 100);
}
