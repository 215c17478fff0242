// build:
// build: -O2 -DNDEBUG
// build: -DREAL=float
// parameters: n=30,end=20,rows=5,columns=7,gap=2
// What tells a compiler something, assertions, walks in declarations and through nests, and loops that count in
// unsigned integers.
#include <assert.h>
#include <stddef.h>
#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
#define likely(x) __builtin_expect(!!(x), 1)
static REAL a[80], b[80];
static void axpy(size_t n, REAL *y, const REAL *x) {
#pragma scop
  while (n--) {
    REAL t = *x++;
    *y++ += 2 * t;
  }
#pragma endscop
}
static void clip(int n, int end) {
#pragma scop
  const REAL *from = __builtin_assume_aligned(a, sizeof(REAL));
  for (int i = 0; i < n; i++) {
    assert(n < 80 && i < 60);
    __builtin_prefetch(&b[i + 8]);
    if (likely(i < end)) {
      b[i] = from[i], a[i] = 0.5 * from[i];
      if (i == 17) break;
      likely(b[i] > 1) ? (b[i] = 1) : (a[i] += 1);
    }
    b[i] += 0.25;
  }
#pragma endscop
}
static void copy(const REAL *from, REAL *to, int rows, int columns, int gap) {
#pragma scop
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) *to++ += *from++ * (i + 2 * j);
    to += gap;
  }
#pragma endscop
}
int main(void) {
  FILL(a, 80);
  FILL(b, 80);
  for (int n = 30; n > 2; n -= 13) {
    axpy(n, a, b);
    PRINT(a, 80);
    axpy(n, a + 3, a);
    PRINT(a, 80);
    clip(n, 20);
    PRINT(a, 80);
    PRINT(b, 80);
    copy(a, b, n / 6, 7, 2);
    PRINT(b, 80);
    copy(a, a + 5, 4, n / 5, 3);
    PRINT(a, 80);
  }
}
