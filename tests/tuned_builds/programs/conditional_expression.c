// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[40], m[1]; static int c[40];
void f(int n) {
#pragma scop
  m[0] = a[0];
  for (int i = 1; i < n; i++) m[0] = m[0] > a[i] ? m[0] : a[i];
  for (int i = 0; i < n; i++) c[i] = a[i] > 10 ? 1 : -1;
#pragma endscop
}
int main(void) { FILL(a, 40); f(40); PRINT(m, 1); PRINT(c, 40); }
