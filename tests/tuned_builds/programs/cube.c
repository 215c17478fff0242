// build:
// build: -O2
// parameters: n=12
#include "checksum.h"
void f(int n, double a[n][n][n], double b[n][n][n]) {
#pragma scop
  for (int i = 1; i < n - 1; i++) for (int j = 2; j < n - 1; j++) for (int k = 1; k < n - 3; k++) b[i][j][k] = a[i][j][k + 1] - a[i - 1][j][k];
#pragma endscop
}
static double x[2000], y[2000];
int main(void) { FILL(x, 2000); FILL(y, 2000); f(12, (double (*)[12][12])x, (double (*)[12][12])y); f(9, (double (*)[9][9])x, (double (*)[9][9])y); PRINT(y, 2000); }
