// build:
// build: -O2
// build: -DTYPE=int
// parameters: n=70,m=45
// device: --multiprocessors 4 --set one_pass=on
// Sums of a matrix's rows and of its columns in one pass: the second of what the first gives, with what is
// done before and after both; two that need nothing of each other, of a triangle, and of columns from one on.
#include "checksum.h"
#ifndef TYPE
#define TYPE float
#endif
static TYPE A[70][45], T[70][50], b[70], r[70], x[45], y[45], z[45], p[50], q[70], u[70], s[50];
void gradient(int n, int m) {
#pragma scop
  for (int j = 0; j < m; j++) y[j] = z[j];
  for (int i = 0; i < n; i++) {
    r[i] = -b[i];
    for (int j = 0; j < m; j++) r[i] += A[i][j] * x[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[j] += A[i][j] * r[i];
  for (int j = 0; j < m; j++) z[j] = 2 * y[j];
#pragma endscop
}
void both(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 3; j < m; j++) {
      y[j] += b[i] * A[i][j];
      r[i] += A[i][j] * x[j];
    }
#pragma endscop
}
void triangle(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      if (j <= i + 1) q[i] += T[i][j] * p[j];
  for (int j = 1; j < m; j++)
    for (int i = j - 1; i < n; i++) s[j] += u[i] * T[i][j];
#pragma endscop
}
int main(void) {
  FILL(&A[0][0], 70 * 45);
  FILL(&T[0][0], 70 * 50);
  FILL(b, 70);
  FILL(r, 70);
  FILL(x, 45);
  FILL(z, 45);
  FILL(p, 50);
  FILL(u, 70);
  gradient(70, 45);
  PRINT(r, 70);
  PRINT(z, 45);
  both(70, 45);
  PRINT(r, 70);
  PRINT(y, 45);
  triangle(70, 45);
  PRINT(q, 70);
  PRINT(s, 50);
  return 0;
}
