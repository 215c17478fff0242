// build:
// build: -O2 -DUNUSED=1
// parameters: n=50
#include "checksum.h"
static float a[50]; static double b[50]; static int c[50];
void f(int n, float s) {
#pragma scop
  for (int i = 0; i < n; i++) { b[i] = a[i] / 3 + c[i]; a[i] = b[i] * s; c[i] = (int)b[i] / 2; }
#pragma endscop
}
int main(void) { FILL(a, 50); FILL(b, 50); FILL(c, 50); f(50, 0.1f); f(30, 2); PRINT(a, 50); PRINT(b, 50); PRINT(c, 50); }
