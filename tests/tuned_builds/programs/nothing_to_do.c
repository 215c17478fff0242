// build:
// build: -O2 -DUNUSED=1
// parameters: n=30,m=20
#include "checksum.h"
static double a[30];
void f(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++) a[i] = i;
  for (int i = n; i < m; i++) a[i] = 0;
#pragma endscop
}
int main(void) { FILL(a, 30); f(30, 20); f(10, 20); f(0, 0); PRINT(a, 30); }
