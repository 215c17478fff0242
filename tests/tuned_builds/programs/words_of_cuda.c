// build:
// build: -O2 -DUNUSED=1
// parameters: n=30
#include "checksum.h"
static double this[30], new[30]; static float class;
void f(int n, double min) {
#pragma scop
  for (int i = 0; i < n; i++) { this[i] = new[i] * min; class += this[i]; }
#pragma endscop
}
int main(void) { FILL(this, 30); FILL(new, 30); class = 1; f(30, 2); f(4, 3); PRINT(this, 30); PRINT(&class, 1); }
