// build:
// build: -O2
// parameters: n=30
#include "checksum.h"
double total;
void f(int n, double a[n]) {
#pragma scop
  for (int i = 0; i < n; i++) { total += a[i]; a[i] = total; }
#pragma endscop
}
static double x[60];
int main(void) { FILL(x, 60); f(30, x); f(30, x + 20); total = 3; f(30, x); PRINT(x, 60); PRINT(&total, 1); }
