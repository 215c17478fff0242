// build:
// build: -O2 -DUNUSED=1
// parameters: n=40,k=5
#include "checksum.h"
static float b[60], a[60]; static double rows[8][6], c[60], d[60]; static int at[100], next[60], way[6];
static double pick(const double *from, int place) { return from[place]; }
void f(int n, int k, int column[n][k], double value[n][k], double x[n], double y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = b[at[i]] + b[at[2 * i + 1] / 2 + 1];
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < k; j++) sum += value[i][j] * x[column[i][j]];
    y[i] = sum;
  }
  for (int i = 0; i < n; i++) {
    int place = next[at[i]];
    c[i] = a[place] > 9 ? rows[place % 8][i % 6] : pick(x, place / 2);
    for (int j = 0; j < 6; j++)
      if (at[i] > 3) d[i] += rows[at[i] % 8][way[j]] * j;
  }
  for (int i = 1; i < n; i++) c[i] = c[at[i] % i] * 0.5 + d[i];
#pragma endscop
}
int main(void) {
  static int column[40][5]; static double value[40][5], x[40], y[40];
  FILL(b, 60); FILL(&rows[0][0], 48); FILL(&value[0][0], 200); FILL(x, 40); FILL(d, 60);
  for (int i = 0; i < 100; i++) at[i] = i * 17 % 37;
  for (int i = 0; i < 60; i++) next[i] = (i * 11 + 5) % 39;
  for (int i = 0; i < 6; i++) way[i] = 5 - i;
  for (int i = 0; i < 40; i++) for (int j = 0; j < 5; j++) column[i][j] = (i * 3 + j * j) % 40;
  f(40, 5, column, value, x, y);
  PRINT(a, 60); PRINT(c, 60); PRINT(d, 60); PRINT(y, 40);
}
