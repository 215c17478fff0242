// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[50];
void f(unsigned n) {
#pragma scop
  for (unsigned i = 0; i < n; i++) a[i] *= 2;
#pragma endscop
}
int main(void) { FILL(a, 50); f(40); f(3); PRINT(a, 50); }
