// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[40];
double f(int n) {
  register double s = 1, t = 2;
#pragma scop
  for (int i = 0; i < n; i++) { s += a[i] * t; }
#pragma endscop
  return s;
}
int main(void) { FILL(a, 40); double r = f(40) + f(7); PRINT(&r, 1); }
