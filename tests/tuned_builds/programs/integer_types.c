// Types of integers that words outside of the region decide: parameters, iterators, numbers that the region sets.
// build:
// build: -DCOUNT=unsigned
// build: -DCOUNT=long
// build: -DCOUNT=short
// build: -funsigned-char
// parameters: n=70
#include "checksum.h"
#ifndef COUNT
#define COUNT int
#endif
typedef COUNT count;
static int a[300], o[70];

static void parameter(count n) {
#pragma scop
  for (int j = 0; j < n; j++) o[j] += a[j] / n + (a[j] - n);
#pragma endscop
}

static void iterator(void) {
  count i;
#pragma scop
  for (i = 0; i < 70; i++) o[i] += (i - 71) / 3;
#pragma endscop
}

static void set_inside(void) {
  count k;
#pragma scop
  for (int j = 0; j < 70; j++) {
    k = 4 * j;
    o[j] += a[k] * j;
  }
#pragma endscop
}

static void characters(void) {
#pragma scop
  const char c = 200;
  for (int j = 0; j < 70; j++) o[j] += a[j] * c + (char)250;
#pragma endscop
}

int main(void) {
  FILL(a, 300);
  FILL(o, 70);
  parameter(70);
  iterator();
  set_inside();
  characters();
  PRINT(o, 70);
}
