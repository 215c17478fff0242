// build:
// build: -O2 -DUNUSED=1
// parameters: n=20
#include "checksum.h"
#include <math.h>
static double x[20][20], y[20][20];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double m = x[i][0], s = 0;
    for (int j = 1; j < n; j++) m = m > x[i][j] ? m : x[i][j];
    for (int j = 0; j < n; j++) { y[i][j] = exp(x[i][j] - m); s += y[i][j]; }
    for (int j = 0; j < n; j++) y[i][j] /= s;
  }
#pragma endscop
}
int main(void) { FILL(&x[0][0], 400); f(20); f(6); PRINT(&y[0][0], 400); }
