// build:
// build: -DBASE=13
#include "checksum.h"
#ifndef BASE
#define BASE 20
#endif
#define N (2 * BASE + 1)
static float a[N][N];
void f(void) {
#pragma scop
  for (int i = 0; i < N; i++) for (int j = 0; j < i; j++) a[i][j] = a[j][i] * 2;
#pragma endscop
}
int main(void) { FILL(&a[0][0], N * N); f(); PRINT(&a[0][0], N * N); }
