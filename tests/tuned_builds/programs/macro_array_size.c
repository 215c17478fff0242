// build:
// build: -DROW=31
// build: -DROW=64
// parameters: n=30
#include "checksum.h"
#ifndef ROW
#define ROW 40
#endif
static double a[30][ROW], b[30][ROW];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[j][i] + 1;
#pragma endscop
}
int main(void) { FILL(&a[0][0], 30 * ROW); FILL(&b[0][0], 30 * ROW); f(30); PRINT(&b[0][0], 30 * ROW); }
