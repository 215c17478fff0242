// build:
// build: -O2 -DUNUSED=1
#include "checksum.h"
static double a[40];
void f(void) {
#pragma scop
  for (int i = 0; i < 40; i++) a[i] = a[39 - i] + 1;
#pragma endscop
}
int main(void) { FILL(a, 40); f(); PRINT(a, 40); }
