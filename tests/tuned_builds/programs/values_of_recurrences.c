// build:
// build: -O2 -DCOLUMNS=64 -DROWS=48
// What recurrences along rows and columns make is added up where it is made. Arrays are written several times:
// of some no value but the last ones is needed after the loops, of others a part of the earlier ones is, or what
// reads them stands in other loops.
#include "checksum.h"
#ifndef COLUMNS
#define COLUMNS 71
#define ROWS 53
#endif
static float in[ROWS][COLUMNS], sum[ROWS][COLUMNS], y1[ROWS][COLUMNS], y2[ROWS][COLUMNS], mean[ROWS][COLUMNS];
static double part[ROWS][COLUMNS], twice[ROWS][COLUMNS], z[ROWS][COLUMNS], last[ROWS];
int main(void) {
  FILL(&in[0][0], ROWS * COLUMNS);
  FILL(&z[0][0], ROWS * COLUMNS);
#pragma scop
  for (int i = 0; i < ROWS; i++) {
    float a = 0, b = 0;
    for (int j = 0; j < COLUMNS; j++) {
      y1[i][j] = 0.25f * in[i][j] + 0.5f * a - 0.125f * b;
      b = a;
      a = y1[i][j];
    }
  }
  for (int i = 0; i < ROWS; i++) {
    float a = 0, b = 0;
    for (int j = COLUMNS - 1; j >= 0; j--) {
      y2[i][j] = 0.5f * a + 0.25f * b;
      b = in[i][j];
      a = y2[i][j];
    }
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) sum[i][j] = y1[i][j] + y2[i][j];
  // The same along columns, which leaves values in y1 and y2.
  for (int j = 0; j < COLUMNS; j++) {
    float a = 0;
    for (int i = 0; i < ROWS; i++) {
      y1[i][j] = 0.25f * sum[i][j] + 0.5f * a;
      a = y1[i][j];
    }
  }
  for (int j = 0; j < COLUMNS; j++) {
    float a = 0;
    for (int i = ROWS - 1; i >= 0; i--) {
      y2[i][j] = 0.5f * a + 0.125f * sum[i][j];
      a = y2[i][j];
    }
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) mean[i][j] = 0.5f * (y1[i][j] + y2[i][j]);
  // Of part all but the first column is written again, of twice everything, after it was read.
  for (int i = 0; i < ROWS; i++)
    for (int j = 1; j < COLUMNS; j++) {
      part[i][j] = 0.5 * z[i][j - 1] + 0.25;
      twice[i][j] = 0.5 * part[i][j] + 0.125 * z[i][j];
      z[i][j] = part[i][j] - twice[i][j];
    }
  for (int i = 0; i < ROWS; i++) last[i] = twice[i][COLUMNS - 1];
  for (int i = 0; i < ROWS; i++)
    for (int j = 2; j < COLUMNS; j++) part[i][j] = z[i][j] + last[i];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) twice[i][j] = part[i][j] + 1;
#pragma endscop
  PRINT(&sum[0][0], ROWS * COLUMNS);
  PRINT(&y1[0][0], ROWS * COLUMNS);
  PRINT(&y2[0][0], ROWS * COLUMNS);
  PRINT(&mean[0][0], ROWS * COLUMNS);
  PRINT(&part[0][0], ROWS * COLUMNS);
  PRINT(&twice[0][0], ROWS * COLUMNS);
  PRINT(&z[0][0], ROWS * COLUMNS);
  PRINT(last, ROWS);
}
