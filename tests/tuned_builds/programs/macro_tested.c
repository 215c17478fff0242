// build:
// build: -DTWICE
// build: -DLEVEL=3
// build: -DTWICE -DLEVEL=1
// parameters: n=40
#include "checksum.h"
static double a[64];
void f(int n) {
#pragma scop
#ifdef TWICE
  for (int i = 0; i < n; i++) a[i] = a[i] * 2;
#endif
#if LEVEL > 1
  for (int i = 0; i < n; i++) a[i] += LEVEL;
#else
  for (int i = 0; i < n; i++) a[i] += 1;
#endif
#pragma endscop
}
int main(void) { FILL(a, 64); f(40); PRINT(a, 64); }
