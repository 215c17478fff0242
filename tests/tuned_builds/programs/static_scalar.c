// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[40];
double f(int n) {
  static double s = 1;
#pragma scop
  for (int i = 0; i < n; i++) { s = s * 0.5 + a[i]; a[i] = s; }
#pragma endscop
  return s;
}
int main(void) { FILL(a, 40); double r = f(40) + f(40); PRINT(&r, 1); PRINT(a, 40); }
