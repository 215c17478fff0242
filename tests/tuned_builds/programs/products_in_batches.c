// build:
// build: -O2 -DTERM=long
// parameters: n=53
#include "checksum.h"
#ifndef TERM
#define TERM int
#endif
static double c[3][60][60], sums[60];
static TERM a[3][60][60];
static double b[60][60];
void f(int n) {
#pragma scop
  for (int s = 0; s < 3; s++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = s; k < n; k++) c[s][i][j] += a[s][i][k] * b[k][j] + (k + 1) * b[j][k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) sums[i] += c[s][i][j];
  }
#pragma endscop
}
int main(void) {
  FILL(&c[0][0][0], 10800); FILL(sums, 60); FILL(&a[0][0][0], 10800); FILL(&b[0][0], 3600);
  f(53);
  f(7);
  PRINT(&c[0][0][0], 10800); PRINT(sums, 60);
}
