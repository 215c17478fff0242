// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
#include <stdlib.h>
int main(void) {
  int n = 40;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  FILL(a, n); FILL(b, n);
#pragma scop
  for (int i = 0; i < n; i++) a[i] = b[i] + a[i];
#pragma endscop
  PRINT(a, n);
  free(a); free(b);
}
