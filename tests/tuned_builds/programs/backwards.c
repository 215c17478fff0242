// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[40];
void f(int n) {
#pragma scop
  for (int i = n - 2; i >= 0; i--) a[i] += 0.5 * a[i + 1];
#pragma endscop
}
int main(void) { FILL(a, 40); f(40); f(9); PRINT(a, 40); }
