// build:
// build: -O2 -DLENGTH=530
// build: -DTYPE=int
// device: --multiprocessors 4
// Sums whose parts other blocks add up: of two products each, below a diagonal; and products with a symmetric
// matrix of which one half is stored, whose sums begin, or end, at different times.
#include "checksum.h"
#ifndef TYPE
#define TYPE double
#endif
#ifndef LENGTH
#define LENGTH 580
#endif
#define ROWS 70
#define COLUMNS 9
static TYPE f = 2, g = 3;
static TYPE a[ROWS][LENGTH], b[ROWS][LENGTH], c[ROWS][ROWS];
static TYPE s[LENGTH][LENGTH], v[LENGTH][COLUMNS], w[LENGTH][COLUMNS];
int main(void) {
  FILL(&a[0][0], ROWS * LENGTH);
  FILL(&b[0][0], ROWS * LENGTH);
  FILL(&c[0][0], ROWS * ROWS);
  FILL(&s[0][0], LENGTH * LENGTH);
  FILL(&v[0][0], LENGTH * COLUMNS);
  FILL(&w[0][0], LENGTH * COLUMNS);
#pragma scop
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j <= i; j++) c[i][j] *= g;
    for (int k = 0; k < LENGTH; k++)
      for (int j = 0; j <= i; j++) c[i][j] += f * a[j][k] * b[i][k] + b[j][k] * g * a[i][k];
  }
  for (int i = 0; i < LENGTH; i++)
    for (int j = 0; j < COLUMNS; j++) {
      TYPE sum;
      sum = 0;
      for (int k = 0; k < i; k++) {
        w[k][j] += f * v[i][j] * s[i][k];
        sum += v[k][j] * s[i][k];
      }
      w[i][j] = g * w[i][j] + f * v[i][j] * s[i][i] + f * sum;
    }
#pragma endscop
  PRINT(&c[0][0], ROWS * ROWS);
  PRINT(&w[0][0], LENGTH * COLUMNS);
}
