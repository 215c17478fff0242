// build:
// build: -O2 -Wunused-label
// parameters: n=50
#include "checksum.h"
static double a[50], b[50], c[50]; static int k[50];
void f(int n, double least) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < least) goto low;
    b[i] = a[i] + 2 * c[i];
    if (k[i] > 3) goto next;
    k[i] += 1;
    goto next;
  low:
    c[i] = a[i] * b[i];
    if (i < 2) goto next;
    c[i] -= c[i - 1];
  next:
    a[i] += k[i];
  }
#pragma endscop
}
int main(void) {
  FILL(a, 50); FILL(b, 50); FILL(c, 50); FILL(k, 50); f(50, 2.5); f(20, 1);
  PRINT(a, 50); PRINT(b, 50); PRINT(c, 50); PRINT(k, 50);
}
