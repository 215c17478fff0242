// build:
// build: -O2 -DUNUSED=1
// parameters: n=20,m=24,t=9
// Matrices in one dimension, some behind plain pointers.
#include <stddef.h>
#include "checksum.h"
static float a[1000], b[1000], c[1000];
static double p[8000], q[8000];
void product(int n, int m, const float *x, const float *y, float *z) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int row = i * m;
      z[row + j] = 0;
      for (int k = 0; k < n; k++) z[i * m + j] += x[i * n + k] * y[k * m + j];
    }
#pragma endscop
}
void stencil(int n, int m, int t) {
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 1; k < t - 1; k++)
        q[(i * m + j) * t + k] = p[i * m * t + j * t + k + 1] + p[(i - 1) * (m * t) + j * t + k] +
                                 p[((size_t)i * m + j - 1) * t + k] + p[i * m * t + j * t + t + k];
#pragma endscop
}
void padded(int n, double *x) {
#pragma scop
  for (int i = 1; i <= n; i++) {
    double *row = x + i * (n + 2);
    for (int j = 1; j <= n; j++)
      if (row[j] > 4) row[j] += x[(i - 1) * (n + 2) + j] + x[j];
  }
#pragma endscop
}
void edges(int n, int m, float *x, float *y) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = (j > 0 ? x[i * m + j - 1] : 0) + (i > 0 ? x[(i - 1) * m + j] : 1) +
                     (i < n - 1 && j < m - 1 ? x[(i + 1) * m + j + 1] : 2);
#pragma endscop
}
int main(void) {
  FILL(a, 1000); FILL(b, 1000); FILL(p, 8000);
  product(20, 24, a, b, c); PRINT(c, 1000);
  product(7, 3, a, b, c); PRINT(c, 1000);
  product(20, 24, a, b, b + 17); PRINT(b, 1000);
  product(20, 24, a, b, b + 480); PRINT(b, 1000);
  stencil(20, 24, 9); PRINT(q, 8000);
  stencil(5, 6, 7); PRINT(q, 8000);
  padded(20, p); PRINT(p, 8000);
  padded(4, p); PRINT(p, 8000);
  edges(20, 24, a, c); PRINT(c, 1000);
  edges(3, 4, a, c); PRINT(c, 1000);
}
