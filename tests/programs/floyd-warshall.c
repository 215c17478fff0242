/* floyd-warshall: lengths of all shortest paths, in place. */
#include <stdio.h>
#include <stdlib.h>

#ifndef DATA_TYPE
#define DATA_TYPE int
#endif
#ifndef N
#define N 120
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int n, DATA_TYPE (*path)[n]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      path[i][j] = i == j ? 0 : i * j % 7 + 1;
      if ((i + j) % 13 == 0 || (i + j) % 7 == 0 || (i + j) % 11 == 0) path[i][j] = i == j ? 0 : 999;
    }
}

static void shorten(int n, DATA_TYPE (*restrict path)[n]) {
#pragma scop
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
#pragma endscop
}

int main(void) {
  const int n = N;
  DATA_TYPE(*path)[n] = malloc(sizeof(DATA_TYPE[n][n]));
  if (path == NULL) return 1;
  fill(n, path);
  shorten(n, path);
  printf("path %.9e\n", weigh(n * n, &path[0][0]));
  free(path);
  return 0;
}
