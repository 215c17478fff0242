// build:
// build: -O2 -DUNUSED=1
// parameters: n=24
#include "checksum.h"
static float a[24][24];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { float t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; }
#pragma endscop
}
int main(void) { FILL(&a[0][0], 576); f(24); f(10); PRINT(&a[0][0], 576); }
