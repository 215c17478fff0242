// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[40], b[40];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = a[i] + 1;
#pragma endscop
  a[3] = 7;
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];
#pragma endscop
}
int main(void) { FILL(a, 40); FILL(b, 40); f(40); f(10); PRINT(a, 40); PRINT(b, 40); }
