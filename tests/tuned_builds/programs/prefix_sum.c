// build:
// build: -O2 -DUNUSED=1
// parameters: n=60
#include "checksum.h"
static double a[60];
void f(int n) {
#pragma scop
  for (int i = 1; i < n; i++) a[i] += a[i - 1];
#pragma endscop
}
int main(void) { FILL(a, 60); f(60); f(7); PRINT(a, 60); }
