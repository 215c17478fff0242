// build:
// build: -DFACTOR=0.25
// build: -DFACTOR=2
// build: -DFACTOR=1.0/3
// parameters: n=50
#include "checksum.h"
#ifndef FACTOR
#define FACTOR 0.5
#endif
void f(int n, double a[n]) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = FACTOR * a[i] + FACTOR;
#pragma endscop
}
int main(void) { double a[50]; FILL(a, 50); f(50, a); f(20, a); PRINT(a, 50); }
