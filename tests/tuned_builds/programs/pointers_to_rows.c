// build:
// build: -O2
// parameters: n=12,m=10,tune_row_a=10,tune_row_b=10,tune_row_g_2=10,tune_row_rows_3=10,tune_row_pair_4=10
#include "checksum.h"
#include <stdlib.h>
const char *__asan_default_options(void) { return "detect_leaks=0"; } /* rows are not freed */
float **g;
void f(int n, int m, double **a, const double *const *b) {
#pragma scop
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 0.5 * a[i - 1][j] + b[i][j];
#pragma endscop
}
void h(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) g[i][j] += 1;
#pragma endscop
}
void k(int n, int m, int *x) {
  int *rows[12];
  for (int i = 0; i < 12; i++) rows[i] = x + 10 * i;
#pragma scop
  for (int i = 0; i < n; i++) {
    int *row = rows[i];
    for (int j = 0; j < m; j++) row[j] = row[j] * 2 + i;
  }
#pragma endscop
}
/* Rows that compilers know to be apart. */
double two(int n, int m) {
  double *first = malloc(14 * sizeof *first), *second = malloc(14 * sizeof *second);
  double *pair[2] = {first, second};
  first[0] = second[0] = 1;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) pair[i][j] = 5 + i + j;
#pragma endscop
  return first[0] + 10 * second[0];
}
static double x[400], y[400];
static int z[400];
/* Rows of x or y at these places. */
static double **table(double *to, int rows, int first, int distance) {
  double **a = malloc(rows * sizeof *a);
  for (int i = 0; i < rows; i++) a[i] = to + first + i * distance;
  return a;
}
#define READ(b) (const double *const *)(b)
int main(void) {
  float *block = malloc(120 * sizeof *block);
  double **a = table(x, 12, 0, 10), **b = table(y, 12, 0, 10), **c;
  FILL(x, 400); FILL(y, 400); FILL(z, 400); FILL(block, 120);
  f(12, 10, a, READ(b));
  PRINT(x, 400);
  /* Longer rows, rows in reverse, rows that overlap, the same rows. */
  c = table(x, 12, 5, 13); f(12, 10, c, READ(b)); free(c);
  c = table(x, 12, 200, -10); f(12, 10, c, READ(b)); free(c);
  c = table(x, 12, 0, 7); f(12, 10, c, READ(b)); free(c);
  c = table(x, 12, 0, 0); f(12, 10, c, READ(b)); free(c);
  PRINT(x, 400);
  /* Two rows that change places, the same row twice, one at another distance. */
  c = table(x, 12, 0, 10);
  c[3] = x + 80; c[8] = x + 30; f(12, 10, c, READ(b));
  c[3] = x + 30; c[8] = x + 30; f(12, 10, c, READ(b));
  c[8] = x + 80; c[11] = x + 120; f(12, 10, c, READ(b));
  free(c);
  PRINT(x, 400);
  /* Rows between those of others, the rows of others, rows that begin in others. */
  c = table(x, 12, 0, 20);
  b = table(x, 12, 10, 20); f(12, 10, c, READ(b)); free(c);
  f(12, 10, b, READ(b));
  c = table(x, 12, 15, 20); f(12, 10, c, READ(b)); free(c);
  PRINT(x, 400);
  /* Rows that are not there, and not used; none at all; one. */
  c = table(x, 13, 0, 10); c[12] = 0; f(12, 10, c, READ(b));
  c[0] = c[1] = 0; f(1, 10, c, READ(b)); f(0, 10, 0, 0); f(2, 0, c, READ(b)); free(c);
  c = table(x, 2, 0, 10); f(2, 10, c, READ(b)); f(2, 3, c, READ(b)); free(c);
  PRINT(x, 400);
  g = malloc(12 * sizeof *g);
  for (int i = 0; i < 12; i++) g[i] = block + 10 * i;
  h(12, 10); h(3, 4);
  PRINT(block, 120);
  for (int i = 0; i < 12; i++) g[i] = malloc((i + 1) * 10 * sizeof **g), g[i][0] = g[i][1] = i;
  h(12, 2);
  for (int i = 0; i < 12; i++) PRINT(g[i], 2);
  k(12, 10, z); k(12, 3, z); k(5, 10, z + 50);
  PRINT(z, 400);
  printf("%g %g\n", two(2, 10), two(2, 0));
}
