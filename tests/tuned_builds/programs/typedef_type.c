// build:
// build: -DSINGLE
// parameters: n=50
#include "checksum.h"
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif
static real a[50][50];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = (real)1 / (i + j + 1) + a[i][j];
#pragma endscop
}
int main(void) { FILL(&a[0][0], 2500); f(50); f(12); PRINT(&a[0][0], 2500); }
