// A pointer that the file says to be `restrict`, and sets to a place in an array that the region names too.
// build:
// parameters: n=40
#include "checksum.h"

static double all[200], apart[60], *restrict part, other[60];

static void shift(int n, int by) {
  part = by < 0 ? apart : all + by;
#pragma scop
  for (int i = 0; i < n; i++) part[i + 1] = all[i] + other[i];
#pragma endscop
}

int main(void) {
  FILL(all, 200); FILL(other, 60);
  shift(40, -1);
  PRINT(apart, 60);
  shift(40, 60);
  PRINT(all, 200);
  shift(40, 3);
  PRINT(all, 200);
  shift(40, 0);
  PRINT(all, 200);
  return 0;
}
