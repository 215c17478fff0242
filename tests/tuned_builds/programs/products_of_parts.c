// build:
// build: -O2 -DTYPE=float
// Products that leave out terms, of rows far behind in an array, of statements at different depths, and on a diagonal.
#include "checksum.h"
#ifndef TYPE
#define TYPE double
#endif
#define ROWS 38
#define COLUMNS 41
#define TERMS 45
static TYPE a[ROWS][TERMS], b[TERMS + 300][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS], x[TERMS], y[ROWS], e[ROWS][ROWS];
int main(void) {
  FILL(&a[0][0], ROWS * TERMS);
  FILL(&b[0][0], (TERMS + 300) * COLUMNS);
  FILL(x, TERMS);
#pragma scop
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      for (int l = 0; l < TERMS; l++)
        if (l < 3 || l > 6) c[i][j] += a[i][l] * b[l][j];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      for (int l = 0; l < TERMS; l++) d[i][j] += a[i][l] * b[l + 300][j];
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < ROWS; i++) {
      c[i][0] = c[i][0] * 0.5;
      for (int l = 0; l < TERMS; l++) c[i][0] += a[i][l] * x[l];
      y[i] += c[i][0] * t;
    }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++)
      for (int l = 0; l < TERMS; l++)
        if (i == j) e[i][j] += a[i][l] * b[l][j];
#pragma endscop
  PRINT(&c[0][0], ROWS * COLUMNS);
  PRINT(&d[0][0], ROWS * COLUMNS);
  PRINT(y, ROWS);
  PRINT(&e[0][0], ROWS * ROWS);
}
