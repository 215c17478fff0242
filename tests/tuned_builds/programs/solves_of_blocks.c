// build:
// build: -O2 -DROWS=33
// build: -DREAL=float -DDIGITS=3
// parameters: n=41
// Small systems of equations, many at a time: one right side, or one matrix, is a thread's.
#include <stdio.h>

#ifndef ROWS
#define ROWS 41
#endif
#ifndef REAL
#define REAL double
#endif
#ifndef DIGITS
#define DIGITS 9
#endif
enum { SIZE = 24, SMALL = 6 };

static REAL L[SIZE][SIZE], B[ROWS][SIZE], X[ROWS][SIZE], Y[SIZE][ROWS], A[ROWS][SMALL][SMALL], T[ROWS];

// A right side is a row.
static void rows(int n) {
#pragma scop
  for (int r = 0; r < n; r++)
    for (int i = 0; i < SIZE; i++) {
      X[r][i] = B[r][i];
      for (int j = 0; j < i; j++) X[r][i] -= L[i][j] * X[r][j];
      X[r][i] /= L[i][i];
    }
#pragma endscop
}

// A column, from the last element up.
static void columns(int n) {
#pragma scop
  for (int i = SIZE - 1; i >= 0; i--)
    for (int r = 0; r < n; r++) {
      for (int j = i + 1; j < SIZE; j++) Y[i][r] -= L[j][i] * Y[j][r];
      Y[i][r] /= L[i][i];
    }
#pragma endscop
}

// Only the lower triangle is there.
static void factors(int n) {
#pragma scop
  for (int r = 0; r < n; r++)
    for (int k = 0; k < SMALL; k++) {
      for (int i = k + 1; i < SMALL; i++) A[r][i][k] /= A[r][k][k];
      for (int i = k + 1; i < SMALL; i++)
        for (int j = k + 1; j <= i; j++) A[r][i][j] -= A[r][i][k] * A[r][j][k] * A[r][k][k];
    }
#pragma endscop
}

// A prefix sum of each row in place, with what the row before it began with.
static void prefixes(int n) {
#pragma scop
  for (int r = 1; r < n; r++)
    for (int i = 1; i < SIZE; i++)
      for (int j = 0; j < i; j++) B[r][i] += B[r][j] * T[r - 1];
#pragma endscop
}

int main(void) {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) L[i][j] = i == j ? 20 + i % 3 : (REAL)((3 * i + 5 * j) % 11 - 5) / 8;
  for (int r = 0; r < ROWS; r++) {
    T[r] = (REAL)(r % 5 - 2) / 32;
    for (int i = 0; i < SIZE; i++) B[r][i] = Y[i][r] = (REAL)((7 * r + 3 * i) % 13 - 4) / 8;
    for (int i = 0; i < SMALL; i++)
      for (int j = 0; j < SMALL; j++) A[r][i][j] = i == j ? 9 + r % 4 : (REAL)((r + 3 * i + 5 * j) % 7 - 3) / 8;
  }
  rows(ROWS);
  columns(ROWS);
  factors(ROWS);
  prefixes(ROWS);
  double sums[4] = {0};
  for (int r = 0; r < ROWS; r++) {
    for (int i = 0; i < SIZE; i++) {
      sums[0] += ((r + 3 * i) % 17 + 1) * X[r][i], sums[1] += ((r + 3 * i) % 17 + 1) * Y[i][r];
      sums[2] += ((r + 3 * i) % 17 + 1) * B[r][i];
    }
    for (int i = 0; i < SMALL; i++)
      for (int j = 0; j < SMALL; j++) sums[3] += ((r + 3 * i + j) % 17 + 1) * A[r][i][j];
  }
  for (int k = 0; k < 4; k++) printf("%.*e\n", DIGITS, sums[k]);
  return 0;
}
