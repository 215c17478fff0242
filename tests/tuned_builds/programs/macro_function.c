// build:
// build: -DSHIFT=3
// parameters: n=40
#include "checksum.h"
#ifndef SHIFT
#define SHIFT 1
#endif
#define AT(a, i, j) a[(i) + SHIFT][j]
#define MORE(x) ((x) * 2)
static double a[64][64], b[64][64];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) AT(b, i, j) = MORE(AT(a, i, j) + 1);
#pragma endscop
}
int main(void) { FILL(&a[0][0], 4096); FILL(&b[0][0], 4096); f(40); f(9); PRINT(&b[0][0], 4096); }
