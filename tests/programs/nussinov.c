/* nussinov: most base pairs of a folded RNA sequence, by dynamic programming over intervals. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE int
#endif
#ifndef N
#define N 180
#endif

#define PAIRED(a, b) ((a) + (b) == 3 ? 1 : 0)
#define LARGER(a, b) ((a) >= (b) ? (a) : (b))

typedef char base;

static base seq[N];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

/* Bases are 0 to 3; 0 pairs with 3 and 1 with 2. */
static void fill(int n) {
  for (int i = 0; i < n; ++i) seq[i] = (base)((i * i + 3 * i + 1) % 11 % 4);
}

static void fold(int n, DATA_TYPE table[n][n]) {
  int i, j, k;
#pragma scop
  for (i = n - 1; i >= 0; i--) {
    for (j = i + 1; j < n; j++) {
      if (j - 1 >= 0) table[i][j] = LARGER(table[i][j], table[i][j - 1]);
      if (i + 1 < n) table[i][j] = LARGER(table[i][j], table[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < n) {
        /* Neighbours do not pair. */
        if (i < j - 1)
          table[i][j] = LARGER(table[i][j], table[i + 1][j - 1] + PAIRED(seq[i], seq[j]));
        else
          table[i][j] = LARGER(table[i][j], table[i + 1][j - 1]);
      }
      for (k = i + 1; k < j; k++) table[i][j] = LARGER(table[i][j], table[i][k] + table[k + 1][j]);
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE table[N][N];
  fill(N);
  fold(N, table);
  printf("table %.9e\n", weigh(N * N, &table[0][0]));
  return 0;
}
