// build:
// build: -O2 -DUNUSED=1
// parameters: n=40,mode=2
#include "checksum.h"
enum { ADD, SCALE = 2, SHIFT };
static double a[64], b[64]; static int k[64];
void f(int n, int mode) {
#pragma scop
  for (int i = 0; i < n; i++) {
    switch (mode) {
      case ADD: a[i] += b[i]; break;
      case SCALE: a[i] *= 2;
      case SHIFT: { a[i] += 1; break; }
      default: a[i] = 0;
    }
    switch (i % 4) {
      case 1:
      case 2: b[i] = -b[i]; break;
      case 3: break;
      default:
        if (a[i] > 2) b[i] = 2;
        else b[i] += 1;
    }
    switch (k[i]) {
      case 0: k[i] = 3; b[i] += 1;
      case 3: k[i] = 0; b[i] += 2; break;
      case 7 ... 8: k[i] += i; break;
      default: b[i] -= k[i];
    }
  }
#pragma endscop
}
int main(void) {
  FILL(a, 64); FILL(b, 64);
  for (int i = 0; i < 64; i++) k[i] = i % 11;
  f(40, 2); f(64, 0); f(30, 3); f(20, 9);
  PRINT(a, 64); PRINT(b, 64); PRINT(k, 64);
}
