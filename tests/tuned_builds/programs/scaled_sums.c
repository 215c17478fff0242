// build:
// build: -DTYPE=float -DLENGTH=523
// device: --multiprocessors 4
// Long sums whose terms are all multiplied by something: a scalar, a number, both with a minus; and a batch of them.
#include "checksum.h"
#ifndef TYPE
#define TYPE double
#endif
#ifndef LENGTH
#define LENGTH 584
#endif
#define ROWS 35
#define COLUMNS 66
static TYPE a[ROWS][LENGTH], b[LENGTH][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS], e[ROWS][COLUMNS],
    f[2][ROWS][COLUMNS];
int main(int count, char **arguments) {
  TYPE alpha = (TYPE)(count + 0.5), beta = (TYPE)(count * 0.25);
  FILL(&a[0][0], ROWS * LENGTH);
  FILL(&b[0][0], LENGTH * COLUMNS);
  FILL(&c[0][0], ROWS * COLUMNS);
#pragma scop
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      c[i][j] *= beta;
      for (int k = 0; k < LENGTH; k++) c[i][j] += alpha * a[i][k] * b[k][j];
    }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      for (int k = 0; k < LENGTH; k++) d[i][j] -= a[i][k] * (alpha * b[k][j]) * beta;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      e[i][j] = 0;
      for (int k = 0; k < LENGTH; k++) e[i][j] += a[i][k] * (TYPE)0.5 * b[k][j];
    }
  for (int n = 0; n < 2; n++)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++)
        for (int k = 0; k < LENGTH; k++) f[n][i][j] += beta * a[i][k] * b[k][j];
#pragma endscop
  PRINT(&c[0][0], ROWS * COLUMNS);
  PRINT(&d[0][0], ROWS * COLUMNS);
  PRINT(&e[0][0], ROWS * COLUMNS);
  PRINT(&f[0][0][0], 2 * ROWS * COLUMNS);
}
