// build:
// build: -O2 -DREAL=double
// build: -DSIZE=13
// parameters: n=12
#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
#ifndef SIZE
#define SIZE 12
#endif
template <typename T, int m>
static void product(int n, const T *a, const T *b, T *c) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i * m + j] = T(0);
      for (int k = 0; k < m; k++) c[i * m + j] += a[i * m + k] * b[k * m + j];
    }
#pragma endscop
}
static REAL a[300], b[300], c[300];
int main() {
  FILL(a, 300);
  FILL(b, 300);
  product<REAL, SIZE>(12, a, b, c);
  PRINT(c, 300);
  product<REAL, SIZE>(9, b, a, c);
  PRINT(c, 300);
}
