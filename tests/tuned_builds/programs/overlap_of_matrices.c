// build:
// build: -O2
// parameters: n=20
#include "checksum.h"
void f(int n, float a[n][n], float b[n][n], float c[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
      c[i][j] = s / 64;
    }
#pragma endscop
}
static float x[20][20], y[20][20], z[20][20];
int main(void) {
  FILL(&x[0][0], 400); FILL(&y[0][0], 400); FILL(&z[0][0], 400);
  f(20, x, y, z);
  f(20, x, x, z);
  f(20, z, y, z);
  f(20, x, z, x);
  PRINT(&x[0][0], 400); PRINT(&z[0][0], 400);
}
