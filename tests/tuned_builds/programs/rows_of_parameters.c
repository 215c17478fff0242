// build:
// build: -O2
// parameters: n=16,m=20
#include "checksum.h"
void f(int n, int m, double a[n][m], double b[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[i][j] * 2 + b[i][j];
#pragma endscop
}
static double x[2000], y[2000];
int main(void) {
  FILL(x, 2000); FILL(y, 2000);
  f(16, 20, (double (*)[20])x, (double (*)[20])y);
  f(16, 30, (double (*)[30])x, (double (*)[30])y);
  f(16, 16, (double (*)[16])x, (double (*)[16])y);
  PRINT(y, 2000);
}
