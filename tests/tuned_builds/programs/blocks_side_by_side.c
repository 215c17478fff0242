// build:
// build: -O2
// parameters: n=16
#include "checksum.h"
void f(int n, double a[][40], double b[][40]) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[i][j] * 0.5 + b[i][j];
#pragma endscop
}
static double x[40][40], y[40][40];
int main(void) {
  FILL(&x[0][0], 1600); FILL(&y[0][0], 1600);
  f(16, x, y);
  f(16, x, (double (*)[40])&x[0][20]);
  f(16, x, (double (*)[40])&x[10][0]);
  PRINT(&x[0][0], 1600); PRINT(&y[0][0], 1600);
}
