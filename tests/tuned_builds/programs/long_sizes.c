// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
static double a[50];
void f(long n) {
#pragma scop
  for (long i = 0; i < n; i++) a[i] += i;
#pragma endscop
}
int main(void) { FILL(a, 50); f(40); f(41); PRINT(a, 50); }
