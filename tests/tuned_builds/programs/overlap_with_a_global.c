// build:
// build: -O2
// parameters: n=30
#include "checksum.h"
static double g[60];
void f(int n, double a[n]) {
#pragma scop
  for (int i = 0; i < n; i++) g[i] = a[i] + 1;
  for (int i = 0; i < n; i++) a[i] = g[n - 1 - i];
#pragma endscop
}
static double x[60];
int main(void) { FILL(x, 60); FILL(g, 60); f(30, x); f(30, g); f(30, g + 15); PRINT(x, 60); PRINT(g, 60); }
