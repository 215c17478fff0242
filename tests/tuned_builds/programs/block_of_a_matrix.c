// build:
// build: -O2
// parameters: n=16
#include "checksum.h"
void f(int n, double a[][40], double b[][40]) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[j][i] + b[i][j];
#pragma endscop
}
static double x[40][40], y[40][40];
int main(void) {
  FILL(&x[0][0], 1600); FILL(&y[0][0], 1600);
  f(16, x, y);
  f(16, (double (*)[40])&x[24][24], (double (*)[40])&y[24][24]);
  f(16, (double (*)[40])&x[3][5], (double (*)[40])&y[20][2]);
  PRINT(&y[0][0], 1600);
}
