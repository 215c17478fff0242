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
// Not even the first one.
static void scatter(int n, const int *c, const int *at, TYPE a[n], int h[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 1) a[at[i]] = i;
    if (c[i] > 2) a[at[i]] *= 2;
    if (c[i] > 0) h[at[i]] += c[i];
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
    int *at = malloc(n * sizeof *at), *h = malloc(n * sizeof *h);
    for (int i = 0; i < n; i++) at[i] = i * 7 % n;
    FILL(h, n);
    scatter(n, c, at, a, h);
    PRINT(a, n);
    PRINT(h, n);
    for (int i = 0; i < n; i++) c[i] = -i;
    scatter(n, c, at, NULL, h);
    scatter(n, c, at, a, NULL);
    free(at);
    free(h);
    free(a);
    free(t);
    free(c);
  }
}
