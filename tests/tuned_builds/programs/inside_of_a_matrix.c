// build:
// build: -O2
// parameters: n=30
#include "checksum.h"
void f(int n, double a[n][n], double b[n][n]) {
#pragma scop
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) b[i][j] = 0.25 * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]);
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j];
  }
#pragma endscop
}
static double x[30][30], y[30][30];
int main(void) { FILL(&x[0][0], 900); FILL(&y[0][0], 900); f(30, x, y); f(29, (double (*)[29])x, (double (*)[29])y); PRINT(&x[0][0], 900); PRINT(&y[0][0], 900); }
