// build:
// build: -O2 -DN=71
// build: -DREAL=float -DDIGITS=3
// parameters: n=80
// Systems of equations from the last row up, whose sums start with what is known last.
#include <stdio.h>

#ifndef N
#define N 80
#endif
#ifndef REAL
#define REAL double
#endif
#ifndef DIGITS
#define DIGITS 9
#endif

static REAL U[N][N], b[N], x[N], y[N], z[N];

// The sum in a variable of the loop's body, in the solution itself, and beside another one.
static void in_a_variable(int n) {
#pragma scop
  for (int i = n - 1; i >= 0; i--) {
    REAL sum = b[i];
    for (int j = i + 1; j < n; j++) sum -= U[i][j] * x[j];
    x[i] = sum / U[i][i];
  }
#pragma endscop
}

static void in_the_solution(int n) {
#pragma scop
  for (int i = 0; i < n; i++) y[i] = b[i];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) y[i] -= U[i][j] * y[j];
    y[i] /= U[i][i];
  }
#pragma endscop
}

// After each term the sum so far is kept: it has to stay as it is.
static void with_all_sums(int n) {
#pragma scop
  for (int i = n - 1; i >= 0; i--) {
    z[i] = b[i];
    for (int j = i + 1; j < n; j++) {
      z[i] -= U[i][j] * z[j] / U[j][j];
      U[j][i] = z[i];
    }
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < N; i++) {
    b[i] = 1 + i % 7;
    for (int j = 0; j < N; j++) U[i][j] = i == j ? 20 + i % 3 : (REAL)((3 * i + 5 * j) % 11 - 5) / 8;
  }
  in_a_variable(N);
  in_the_solution(N);
  with_all_sums(N);
  double sums[4] = {0};
  for (int i = 0; i < N; i++) {
    sums[0] += (i + 1) * x[i], sums[1] += (i + 1) * y[i], sums[2] += (i + 1) * z[i];
    for (int j = 0; j < i; j++) sums[3] += (i + 2 * j) * U[i][j];
  }
  for (int k = 0; k < 4; k++) printf("%.*e\n", DIGITS, sums[k]);
  return 0;
}
