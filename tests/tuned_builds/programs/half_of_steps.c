// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[40], b[40];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i += 2) { a[i / 2] = b[i] + i / 2; }
#pragma endscop
}
int main(void) { FILL(a, 40); FILL(b, 40); f(40); f(13); PRINT(a, 40); }
