// build:
// build: -O2 -DTYPE=float
// build: -DTYPE=int
// Sums of which there are too few for a thread each: in rows, in columns, of triangles, with what comes before and
// after; of all elements; a product and extrema.
#include "checksum.h"
#ifndef TYPE
#define TYPE double
#endif
#define ROWS 45
#define COLUMNS 83
static TYPE a[ROWS][COLUMNS], x[COLUMNS], y[ROWS], z[COLUMNS], t[ROWS], u[ROWS], all[4];
int main(void) {
  FILL(&a[0][0], ROWS * COLUMNS);
  FILL(x, COLUMNS);
  FILL(z, COLUMNS);
  FILL(t, ROWS);
  FILL(all, 4);
#pragma scop
  for (int i = 0; i < ROWS; i++) {
    y[i] = 3;
    u[i] = 0;
    for (int j = 0; j < COLUMNS; j++) {
      y[i] += a[i][j] * x[j];
      u[i] -= a[i][COLUMNS - 1 - j];
    }
    y[i] = 2 * y[i] + u[i];
  }
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < ROWS; i++) z[j] += a[i][j] * t[i];
  for (int i = 0; i < ROWS; i++)
    for (int j = 2; j < i - 3; j++) t[i] += a[i][j] * x[j + 1];
  for (int i = -3; i < ROWS - 5; i++) all[0] += y[i + 3];
  for (int i = 0; i < ROWS; i += 3) all[1] = t[i] > all[1] ? t[i] : all[1];
  for (int i = 0; i < COLUMNS; i++)
    if (z[i] < all[2]) all[2] = z[i];
  for (int i = 0; i < 12; i++) all[3] *= (i & 1) ? 2 : 1;
#pragma endscop
  PRINT(y, ROWS);
  PRINT(z, COLUMNS);
  PRINT(t, ROWS);
  PRINT(all, 4);
}
