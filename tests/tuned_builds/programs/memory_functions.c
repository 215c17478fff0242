// build:
// build: -O2 -DREAL=float
// build: -DROW=10
// parameters: n=12,m=9,k=5
// Calls that set and copy memory, as loops over elements.
#include <string.h>
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
#ifndef ROW
#define ROW 8
#endif
static REAL a[400], b[400], c[400];
static REAL table[12][ROW], copy[12][ROW];
static char text[100];
static unsigned char marks[100];
static int counts[50];
static void product(int n, int m, int k, REAL *x, const REAL *y, const REAL *z) {
#pragma scop
  memset(x, 0, n * m * sizeof(REAL));
  for (int i = 0; i < n; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) x[i * m + j] += y[i * k + l] * z[l * m + j];
#pragma endscop
}
static void columns(int n, int m, REAL *x, const REAL *y) {
#pragma scop
  memset(x, 0, n * m * sizeof *x);
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) x[j * n + i] += y[i * m + j];
#pragma endscop
}
static void whole(int n, int m, REAL *x, const REAL *y) {
#pragma scop
  memset(x, 0, n * m * sizeof *x);
  for (int i = 0; i < n * m; i++) x[i] += 2 * y[i];
#pragma endscop
}
static void rows(int n) {
#pragma scop
  memset(copy, 0, sizeof copy);
  for (int i = 1; i < n; i++) {
    REAL sums[8];
    memset(sums, 0, sizeof sums);
    for (int j = 0; j < 8; j++) sums[j % 4] += table[i][j];
    memcpy(copy[i], table[i - 1], sizeof copy[i]);
    for (int j = 0; j < 8; j++) copy[i][j] += sums[j];
    if (i > 5) memset(table[i - 1], 0, 3 * sizeof(REAL));
  }
  memcpy(table, copy, sizeof(table[0]) * 2);
#pragma endscop
}
static void vla(int n, int m, REAL x[n][m], REAL y[n][m]) {
#pragma scop
  memset(x, 0, sizeof(REAL) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) x[i][j] = y[i][j - 1];
  memcpy(y, x, sizeof(REAL[n][m]));
#pragma endscop
}
static void shifted(int n, REAL *x, REAL *y) {
#pragma scop
  memcpy(x, y, n * sizeof *x);
  for (int i = 0; i < n; i++) y[i] = 2 * x[i] + i;
  memcpy(x + n, y, (size_t)n * sizeof(*y));
  memset(counts, 0, 4 * n);
  for (int i = 0; i < n; i++) counts[i] += i;
#pragma endscop
}
static void characters(int n, int letter) {
#pragma scop
  memset(text, letter, n);
  memset(marks + 2, 0x181, 2 * n);
  for (int i = 0; i < n; i++) text[i] += i;
#pragma endscop
}
int main(void) {
  FILL(a, 400); FILL(b, 400); FILL(c, 400); FILL(&table[0][0], 96);
  product(12, 9, 5, a, b, c); PRINT(a, 400);
  product(4, 6, 7, a, b, c); PRINT(a, 400);
  product(12, 9, 5, a, a + 50, c); PRINT(a, 400);
  columns(12, 9, a, b); PRINT(a, 400);
  columns(4, 7, a, b); PRINT(a, 400);
  whole(12, 9, a, c); PRINT(a, 400);
  whole(-3, -5, a, c); PRINT(a, 400);
  rows(12); PRINT(&table[0][0], 96); PRINT(&copy[0][0], 96);
  rows(7); PRINT(&table[0][0], 96); PRINT(&copy[0][0], 96);
  FILL(a, 400); FILL(b, 400);
  vla(12, 9, (REAL(*)[9])a, (REAL(*)[9])b); PRINT(a, 400); PRINT(b, 400);
  vla(3, 4, (REAL(*)[4])a, (REAL(*)[4])c); PRINT(a, 400); PRINT(c, 400);
  FILL(counts, 50);
  shifted(12, a, b); PRINT(a, 400); PRINT(b, 400); PRINT(counts, 50);
  shifted(12, a, a + 24); PRINT(a, 400);
  shifted(0, a, b); PRINT(counts, 50);
  characters(12, 'q'); PRINT(text, 100); PRINT(marks, 100);
  characters(5, -3); PRINT(text, 100); PRINT(marks, 100);
}
