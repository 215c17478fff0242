// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[100], b[100], c[100], d[100];
void f(int n) {
  int i, j, k, last;
#pragma scop
  i = 2;
  while (i < n) {
    a[i] = a[i - 1] + b[i];
    i += 3;
  }
  c[i] += 1;
  for (; i < n + 10; i++) c[i] = 2 * b[i];
  for (i = n - 1, j = 0; i >= 0; i--, j += 2) d[j] += a[i];
  for (k = 0;; k++) {
    if (k >= n) break;
    a[k] += d[k];
  }
  last = n;
  while (1) {
    if (last < 5) break;
    b[last] = a[last - 5] + last;
    last -= 2;
  }
  for (int m = 0, w = 3; m < n;) {
    b[w] += m;
    w++;
    m += 2;
  }
  do {
    b[0] = b[1] + c[2];
  } while (0);
#pragma endscop
}
int main(void) {
  FILL(a, 100); FILL(b, 100); FILL(c, 100); FILL(d, 100);
  f(40); f(1); f(20);
  PRINT(a, 100); PRINT(b, 100); PRINT(c, 100); PRINT(d, 100);
}
