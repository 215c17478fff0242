// build:
// build: -O2 -DUNUSED=1
// parameters: n=67,m=45
#include "checksum.h"
void f(int n, int m, double lower[n][n], double upper[n][n], double band[n][n], double a[n][m], double b[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) lower[i][j] *= 0.5;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) lower[i][j] += a[j][k] * 2 * b[i][k] + b[j][k] * 2 * a[i][k];
  }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = 0; k < m; k++) upper[i][j] += a[i][k] * b[j][k];
  for (int i = 0; i < n; i++)
    for (int j = (i > 20 ? i - 20 : 0); j <= (i < n - 25 ? i + 24 : n - 1); j++)
      for (int k = 0; k < m; k++) band[i][j] += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
#pragma endscop
}
static double x[4489], y[4489], z[4489], a[4489], b[4489];
int main(void) {
  FILL(x, 4489); FILL(y, 4489); FILL(z, 4489); FILL(a, 4489); FILL(b, 4489);
  f(67, 45, (double (*)[67])x, (double (*)[67])y, (double (*)[67])z, (double (*)[45])a, (double (*)[45])b);
  f(30, 45, (double (*)[30])x, (double (*)[30])y, (double (*)[30])z, (double (*)[45])a, (double (*)[45])b);
  PRINT(x, 4489); PRINT(y, 4489); PRINT(z, 4489);
}
