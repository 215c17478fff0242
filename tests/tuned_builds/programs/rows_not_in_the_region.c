// build:
// build: -O2
// parameters: n=16,row=40
#include "checksum.h"
void f(int n, int row, double a[][row]) {
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] += i - j;
#pragma endscop
}
static double x[2000];
int main(void) {
  FILL(x, 2000);
  f(16, 40, (double (*)[40])x);
  f(16, 60, (double (*)[60])x);
  f(16, 17, (double (*)[17])x);
  PRINT(x, 2000);
}
