// build:
// build: -O2 -DLENGTH=515
// build: -DTYPE=int -DLENGTH=1100
// device: --multiprocessors 4
// Few elements with long sums, which are split among blocks: scaled before, clamped and used after; a second
// product of what the first one gives; sums of different lengths.
#include "checksum.h"
#ifndef TYPE
#define TYPE double
#endif
#ifndef LENGTH
#define LENGTH 640
#endif
#define ROWS 37
#define COLUMNS 70
static TYPE a[ROWS][LENGTH], b[LENGTH][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS], w[COLUMNS][LENGTH],
    e[ROWS][LENGTH], t[LENGTH][COLUMNS];
int main(void) {
  FILL(&a[0][0], ROWS * LENGTH);
  FILL(&b[0][0], LENGTH * COLUMNS);
  FILL(&c[0][0], ROWS * COLUMNS);
  FILL(&w[0][0], COLUMNS * LENGTH);
#pragma scop
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      c[i][j] *= 3;
      for (int k = 0; k < LENGTH; k++) c[i][j] += 2 * a[i][k] * b[k][j];
      d[i][j] = c[i][j] > 5 ? 5 : c[i][j];
    }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < LENGTH; j++)
      for (int k = 0; k < COLUMNS; k++) e[i][j] += d[i][k] * w[k][j];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      for (int k = i; k < LENGTH; k++) t[i][j] += e[i][k] * b[k][j];
#pragma endscop
  PRINT(&c[0][0], ROWS * COLUMNS);
  PRINT(&d[0][0], ROWS * COLUMNS);
  PRINT(&e[0][0], ROWS * LENGTH);
  PRINT(&t[0][0], ROWS * COLUMNS);
}
