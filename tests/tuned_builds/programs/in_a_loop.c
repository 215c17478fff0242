// build:
// build: -O2 -DUNUSED=1
// parameters: n=24
#include "checksum.h"
static double a[24], b[24];
void f(int n) {
  for (int step = 0; step < 5; step++) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[i] * 0.5 + step;
    for (int i = 0; i < n; i++) a[i] = b[n - 1 - i];
#pragma endscop
  }
}
int main(void) { FILL(a, 24); FILL(b, 24); f(24); PRINT(a, 24); PRINT(b, 24); }
