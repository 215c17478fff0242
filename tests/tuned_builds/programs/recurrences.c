// build:
// build: -O2 -DCOLUMNS=83
// Few threads with long recurrences, whose loads run ahead: of doubles in part of the columns, of floats in
// loops that count down, of shorts; the number of iterations fills no chunk.
#include "checksum.h"
#ifndef COLUMNS
#define COLUMNS 151
#endif
#define ROWS 70
static double in[ROWS][COLUMNS], out[ROWS][COLUMNS];
static float d[COLUMNS][ROWS], x[COLUMNS][ROWS], w[COLUMNS];
static short s[ROWS][COLUMNS];
static int sums[ROWS][COLUMNS];
int main(void) {
  FILL(&in[0][0], ROWS * COLUMNS);
  FILL(&d[0][0], ROWS * COLUMNS);
  FILL(&x[0][0], ROWS * COLUMNS);
  FILL(w, COLUMNS);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) s[i][j] = (short)((i * 5 + j * 3) % 19 - 9);
#pragma scop
  for (int i = 0; i < ROWS; i++) {
    out[i][0] = in[i][0];
    out[i][1] = in[i][1];
    for (int j = 2; j < COLUMNS; j++) {
      if (j >= 5)
        out[i][j] = (in[i][j] + 0.5 * in[i][j - 2] - 0.3 * out[i][j - 1]) / (3 + out[i][j - 2] * out[i][j - 2]);
      if (j < 5) out[i][j] = in[i][j] / (2 + out[i][j - 1] * out[i][j - 1]);
    }
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = COLUMNS - 2; j >= 0; j--)
      x[j][i] = (w[j] - d[j][i] * x[j + 1][i] / 64) / (1.5f + d[j][ROWS - 1 - i]);
  for (int i = 0; i < ROWS; i++) {
    sums[i][0] = s[i][0];
    for (int j = 1; j < COLUMNS; j++)
      sums[i][j] = (sums[i][j - 1] * 3 + s[i][j] * s[ROWS - 1 - i][j]) / 4;
  }
#pragma endscop
  PRINT(&out[0][0], ROWS * COLUMNS);
  PRINT(&x[0][0], ROWS * COLUMNS);
  PRINT(&sums[0][0], ROWS * COLUMNS);
}
