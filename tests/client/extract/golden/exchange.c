// Two pointers that change places in each iteration, and memory that is set.
#include <string.h>

void smooth(int n, int steps, double *a, double *b, float *c) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    memset(c, 0, n * sizeof *c);
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
      c[i - 1] += b[i];
    }
    double *last = a;
    a = b;
    b = last;
  }
#pragma endscop
}
