// build:
// build: -O2
// parameters: n=25
#include "checksum.h"
void f(int n, double a[n][n], double b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i][j] = a[i][j] * b[j] + i;
#pragma endscop
}
static double x[30][30], y[30];
int main(void) { FILL(&x[0][0], 900); FILL(y, 30); f(25, (double (*)[25])x, y); f(30, x, y); PRINT(&x[0][0], 900); }
