// build:
// build: -DTYPE=float
// build: -DTYPE=int -O2
// parameters: n=19
// host only: copies to a GPU are of all elements that loops reach
// options: --set loops=written
// Elements that data keep the region from: there need not be any.
#include <stdlib.h>
#include "checksum.h"
#ifndef TYPE
#define TYPE double
#endif
static void mark(int n, const int *c, TYPE *restrict a, TYPE *restrict s) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 0) a[i + 1] = 2 * i;
    for (int j = 0; j < n; j++)
      if (c[i] > j) s[i + 1] += j;
  }
#pragma endscop
}
int main(void) {
  const int sizes[] = {19, 1, 0, 7};
  for (int s = 0; s < 4; s++) {
    const int n = sizes[s];
    int *c = malloc(n * sizeof *c);
    TYPE *a = malloc(n * sizeof *a), *t = malloc(n * sizeof *t);
    FILL(a, n);
    FILL(t, n);
    for (int i = 0; i < n; i++) c[i] = i % 5 - 1;
    if (n > 0) c[n - 1] = 0;
    mark(n, c, a, t);
    PRINT(a, n);
    PRINT(t, n);
    free(a);
    free(t);
    free(c);
  }
}
