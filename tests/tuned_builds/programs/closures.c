// build:
// build: -O2 -DN=259
// build: -DREAL=float -DDIGITS=3
// parameters: n=257
// Loops whose iteration k reads row and column k everywhere, and changes them itself.
#include <stdio.h>

#ifndef N
#define N 257
#endif
#ifndef REAL
#define REAL double
#endif
// Of the rows and columns that change, so that there are eight blocks of iterations and not too much to do.
#define CHANGED 45
#ifndef DIGITS
#define DIGITS 9
#endif

static unsigned paths[N][N];
static int reached[N][N];
static int lengths[N][N];
static REAL inverse[N][N], rows[N][N];

// Not the shortest paths: a sum that tells early from late copies of rows and columns.
static void sums(int n) {
#pragma scop
  for (int k = 0; k < n; k++)
    for (int i = 0; i < CHANGED; i++)
      for (int j = 0; j < CHANGED; j++) paths[i][j] = paths[i][j] * 3 + paths[i][k] * paths[k][j];
#pragma endscop
}

static void closure(int n) {
#pragma scop
  for (int k = 0; k < n; k++)
    for (int i = 0; i < CHANGED; i++)
      for (int j = 0; j < CHANGED; j++) reached[i][j] = reached[i][j] || (reached[i][k] && reached[k][j]);
#pragma endscop
}

static void shortest(int n) {
#pragma scop
  for (int k = 0; k < n; k++)
    for (int i = 0; i < CHANGED; i++)
      for (int j = 0; j < CHANGED; j++) {
        int via = lengths[i][k] + lengths[k][j];
        if (via < lengths[i][j]) lengths[i][j] = via;
      }
#pragma endscop
}

// After Gauss and Jordan, in place, of some rows and columns.
static void invert(int n) {
#pragma scop
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < CHANGED; j++)
      if (j != k) inverse[k][j] /= inverse[k][k];
    for (int i = 0; i < CHANGED; i++)
      if (i != k)
        for (int j = 0; j < CHANGED; j++)
          if (j != k) inverse[i][j] -= inverse[i][k] * inverse[k][j];
    for (int i = 0; i < CHANGED; i++)
      if (i != k) inverse[i][k] = -inverse[i][k] / inverse[k][k];
    inverse[k][k] = 1 / inverse[k][k];
  }
#pragma endscop
}

// The same elimination without an inverse, each row's factor in a variable.
static void eliminate(int n) {
#pragma scop
  for (int k = 0; k < n; k++)
    for (int i = 0; i < CHANGED; i++)
      if (i != k) {
        REAL factor = rows[i][k];
        for (int j = 0; j < CHANGED; j++)
          if (j != k) rows[i][j] -= factor * rows[k][j];
      }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      paths[i][j] = i * 31 + j * 17 + 1;
      reached[i][j] = (i * 7 + j * 3) % 37 == 0;
      lengths[i][j] = (i * 5 + j * 11) % 101 + 2 * (i % 7) - 2 * (j % 7);
      rows[i][j] = (i * 7 + j * 5) % 9 * (REAL)0.001;
      inverse[i][j] = (i == j ? N : 0) + (i * 7 + j * 3) % 11 * (REAL)0.1;
    }
  sums(N);
  closure(N);
  invert(N);
  shortest(N);
  eliminate(N);
  unsigned hash = 0;
  int pairs = 0;
  double weighed = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      hash = hash * 33 + paths[i][j];
      pairs += reached[i][j] * (i % 5 + j % 3 + 1);
      hash = hash * 33 + (unsigned)lengths[i][j];
      weighed += (inverse[i][j] + rows[i][j]) * (i % 13 + 1) * (j % 7 + 1);
    }
  printf("%u %d %.*e\n", hash, pairs, DIGITS, weighed);
  return 0;
}
