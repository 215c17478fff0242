// build:
// build: -O2 -DREAL=double
// build: -DTURNED
// build: -DCOUNT=long
// parameters: n=30
// Structures that the region alone declares, of kinds of which there is no array.
#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
#ifndef COUNT
#define COUNT int
#endif
struct pair {
#ifdef TURNED
  REAL second, first;
#else
  REAL first, second;
#endif
};
typedef struct {
  COUNT i;
  struct pair of;
} counted;
static REAL a[31], b[30];
static void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    struct pair p = {a[i], a[i + 1]};
    struct pair q;
    q.first = p.second / 2;
    q.second = p.first;
    counted c = {.i = i * 1000, .of = q};
    c.i = c.i * 4000;
    b[i] = c.of.first - 3 * c.of.second + c.i % 17;
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
