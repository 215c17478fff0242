// build:
// build: -O2 -DUNUSED=1
// parameters: n=20
#include "checksum.h"
static double a[20][20];
void f(int n) {
#pragma scop
  for (int c = 0; c < 2; c++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if ((i + j) % 2 == c) a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
}
int main(void) { FILL(&a[0][0], 400); f(20); f(11); PRINT(&a[0][0], 400); }
