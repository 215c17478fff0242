// build:
// build: -DN=57
// build: -DN=23
#include "checksum.h"
#ifndef N
#define N 40
#endif
static double a[N], b[N];
void f(void) {
#pragma scop
  for (int t = 0; t < 4; t++) {
    for (int i = 1; i < N - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < N - 1; i++) a[i] = b[i];
  }
#pragma endscop
}
int main(void) { FILL(a, N); FILL(b, N); f(); PRINT(a, N); PRINT(b, N); }
