// build:
// build: -O2 -DUNUSED=1
// parameters: n=70
#include "checksum.h"
static double a[100], b[100], c[200];
static int k[100];
static void f(int n) {
  int i, j, last, before, part;
#pragma scop
  last = n - 1;
  before = n - 2;
  for (i = 0; i < n; i++) {
    a[i] = (b[i] + b[last] + b[before]) * 0.25;
    before = last;
    last = i;
  }
  j = -1;
  for (i = 0; i < n; i++) {
    if (k[i] > 11) {
      j++;
      b[j] += 1;
    } else {
      j++;
      c[2 * j] = a[i];
    }
    part = 3;
    if (i % 2) part = i;
    c[i + 100] += a[part];
  }
  c[j] *= 0.5;
  b[i] += 1;
#pragma endscop
}
int main(void) {
  FILL(a, 100); FILL(b, 100); FILL(c, 200); FILL(k, 100);
  f(70); f(2); f(93);
  PRINT(a, 100); PRINT(b, 100); PRINT(c, 200);
}
