// build:
// build: -DOTHER
// parameters: n=50
#include "checksum.h"
#ifdef OTHER
static const double c = 0.75;
static const int last = 33;
#else
static const double c = 0.1;
static const int last = 45;
#endif
void f(int n, float a[n]) {
#pragma scop
  for (int i = 0; i <= last; i++) a[i] = c * a[i] + last;
#pragma endscop
}
int main(void) { float a[50]; FILL(a, 50); f(50, a); PRINT(a, 50); }
