// build:
// build: -O2 -DUNUSED=1
// parameters: n=20
#include "checksum.h"
#include <math.h>
static double px[20], py[20], fx[20], fy[20];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    fx[i] = 0; fy[i] = 0;
    for (int j = 0; j < n; j++) {
      double dx = px[j] - px[i], dy = py[j] - py[i];
      double d = sqrt(dx * dx + dy * dy + 0.01);
      fx[i] += dx / (d * d * d);
      fy[i] += dy / (d * d * d);
    }
  }
#pragma endscop
}
int main(void) { FILL(px, 20); for (int i = 0; i < 20; i++) py[i] = px[19 - i] * 0.5; f(20); f(5); PRINT(fx, 20); PRINT(fy, 20); }
