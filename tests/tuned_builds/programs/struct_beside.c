// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
struct params { int n; double scale; };
static double a[40];
void f(const struct params *p) {
  const double scale = p->scale;
  int n = p->n;
#pragma scop
  for (int i = 0; i < n; i++) a[i] = a[i] * scale + i;
#pragma endscop
}
int main(void) { struct params p = {40, 1.5}; FILL(a, 40); f(&p); p.n = 12; f(&p); PRINT(a, 40); }
