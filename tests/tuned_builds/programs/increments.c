// build:
// build: -O2
// build: -DCOUNT=short
// parameters: n=12
#include "checksum.h"
#ifndef COUNT
#define COUNT int
#endif
static double a[12][9], packed[200];
static void pack(int n) {
#pragma scop
  COUNT k = 0, back = 200;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 9; j++) packed[k++] = a[i][j];
  for (int i = 0; i < n; i++) packed[--back] += a[i][0] * i;
#pragma endscop
}
static void unpack(int n) {
#pragma scop
  int k = 9 * n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 9; j++) a[i][j] = 2 * packed[--k] + i;
#pragma endscop
}
int main(void) {
  FILL(&a[0][0], 108);
  pack(12);
  PRINT(packed, 200);
  unpack(12);
  pack(5);
  PRINT(packed, 200);
  PRINT(&a[0][0], 108);
}
