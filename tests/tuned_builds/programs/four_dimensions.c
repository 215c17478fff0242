// build:
// build: -O2
// parameters: n=6
#include "checksum.h"
void f(int n, float a[n][n][n][n], float b[n][n][n][n]) {
#pragma scop
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < n; j++) for (int k = 0; k < n - 1; k++) for (int l = 2; l < n; l++) b[i][j][k][l] = a[l][k][j][i];
#pragma endscop
}
static float x[1296], y[1296];
int main(void) { FILL(x, 1296); FILL(y, 1296); f(6, (float (*)[6][6][6])x, (float (*)[6][6][6])y); f(5, (float (*)[5][5][5])x, (float (*)[5][5][5])y); PRINT(y, 1296); }
