// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
#include <math.h>
static double a[40], b[40]; static float c[40];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) { a[i] = sqrt(i) + cos(i) + floor(i / 2); b[i] = pow(i, 2) + fabs(b[i]); c[i] = sqrtf(i) + sqrt(c[i]); }
#pragma endscop
}
int main(void) { FILL(a, 40); FILL(b, 40); FILL(c, 40); f(40); PRINT(a, 40); PRINT(b, 40); PRINT(c, 40); }
