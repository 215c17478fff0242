// build:
// build: -DFAST
// parameters: n=20
// In another build a macro has the name of a function that the region calls.
#include <math.h>
#include "checksum.h"
#ifdef FAST
#define exp(x) (1 + (x))
#endif
static double a[20], b[20];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = exp(b[i] / 30);
#pragma endscop
}
int main(void) { FILL(b, 20); f(20); f(3); PRINT(a, 20); }
