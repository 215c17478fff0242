// build:
// build: -O2 -DREAL=float
// build: -DCOLUMNS=9
// parameters: n=12,m=7
// Pointers into matrices that go on in the rows behind, beside accesses by subscripts, and walks that end where a
// pointer is compared with an end.
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
#ifndef COLUMNS
#define COLUMNS 7
#endif
static REAL A[12][COLUMNS], x[100], y[100];
static void mirror(int n, REAL (*B)[COLUMNS]) {
#pragma scop
  REAL *p = &B[0][0];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < COLUMNS; j++) *p++ += 0.5 * B[n - 1 - i][COLUMNS - 1 - j];
#pragma endscop
}
static void part(int n, int m, REAL C[n][m]) {
#pragma scop
  for (int i = 0; i < n - 1; i++) {
    REAL *row = C[i];
    for (int j = 0; j < m; j++) row[m + j] = row[j] + C[i + 1][m - 1 - j];
  }
#pragma endscop
}
static void smooth(int n, int m, REAL *a, const REAL *b) {
#pragma scop
  REAL *p = a, *end = a + n;
  while (p < end) *p++ += 2;
  const REAL *q = &b[1];
  while (q - b < n - 1) {
    a[0] += q[-1] + q[1];
    q += 2;
  }
  for (p = a + m; p != a; p--) p[-1] = p[0] * 0.5 + m;
#pragma endscop
}
int main(void) {
  for (int n = 12; n > 4; n -= 5) {
    FILL(&A[0][0], 12 * COLUMNS);
    FILL(x, 100);
    FILL(y, 100);
    mirror(n, A);
    PRINT(&A[0][0], 12 * COLUMNS);
    part(n, 7, (REAL(*)[7])x);
    part(n, 5, (REAL(*)[5])x);
    PRINT(x, 100);
    smooth(n, 7, x, y);
    smooth(n, 7, x, x + 3);
    PRINT(x, 100);
  }
}
