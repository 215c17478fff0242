// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
#include "checksum.h"
#define LARGER(x, y) ({ __typeof__(x) x_ = (x); __typeof__(y) y_ = (y); x_ > y_ ? x_ : y_; })
#define SET(to, value) ({ double new_ = (value); (to) = new_ + 1; })
static double a[64], b[64];
void f(int n) {
#pragma scop
  for (int i = LARGER(0, n - 30); i < LARGER(n, 10); i++) {
    a[LARGER(i, 3)] += LARGER(b[i], LARGER(a[i], 2.0f));
    SET(b[i], a[i] * 2);
  }
#pragma endscop
}
int main(void) {
  FILL(a, 64); FILL(b, 64);
  f(40); f(5); f(60);
  PRINT(a, 64); PRINT(b, 64);
}
