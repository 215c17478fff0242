// build:
// build: -O2 -DREAL=double
// build: -DTURNED
// build: -DCOUNT=long
// parameters: n=30
// Arrays of structures that the region declares.
#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
#ifndef COUNT
#define COUNT int
#endif
struct particle {
#ifdef TURNED
  COUNT k;
  REAL at, speed;
#else
  REAL at, speed;
  COUNT k;
#endif
};
static REAL a[31], b[30];
static void f(int n) {
#pragma scop
  struct particle all[n];
  for (int i = 0; i < n; i++) {
    struct particle p = {.at = a[i], .speed = a[i + 1] / 2};
    p.k = 3 * i;
    all[i] = p;
    all[i].at += i;
  }
  for (int i = 0; i < n; i++) {
    struct particle near[2];
    near[0] = all[i];
    near[1] = all[n - 1 - i];
    near[1].speed *= 2;
    near[0].k += i;
    b[i] = near[0].at * near[1].speed + near[0].k - near[1].k;
  }
#pragma endscop
}
int main(void) {
  FILL(a, 31);
  f(30);
  PRINT(b, 30);
  f(7);
  PRINT(b, 30);
}
