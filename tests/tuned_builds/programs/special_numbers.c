// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include <math.h>
#include "checksum.h"
static double a[64], largest[1]; static float b[64], c[64];
void f(int n) {
#pragma scop
  largest[0] = -HUGE_VAL;
  for (int i = 0; i < n; i++) {
    if (a[i] > largest[0]) largest[0] = a[i];
    if (b[i] == 0) c[i] = NAN;
    else if (b[i] < 0) c[i] = -INFINITY;
    else c[i] = INFINITY - b[i];
    b[i] = isnan(c[i]) ? 1 : isinf(c[i]) ? 2 : __builtin_fabsf(c[i]) < (float)__builtin_inf() ? 3 : 4;
  }
#pragma endscop
}
int main(void) {
  FILL(a, 64); FILL(b, 64);
  for (int i = 0; i < 64; i++) b[i] = i % 3 - 1;
  f(40); f(0); f(20);
  PRINT(a, 64); PRINT(largest, 1); PRINT(b, 64);
}
