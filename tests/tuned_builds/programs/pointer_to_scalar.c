// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
void f(int n, double a[restrict n], double *restrict s) {
#pragma scop
  for (int i = 0; i < n; i++) s[0] += a[i];
#pragma endscop
}
int main(void) { double a[40], s = 2; FILL(a, 40); f(40, a, &s); f(3, a, &s); PRINT(&s, 1); }
