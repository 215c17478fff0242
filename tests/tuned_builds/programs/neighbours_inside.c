// build:
// build: -O2 -DUNUSED=1
// parameters: n=40,m=30
#include "checksum.h"
static float a[40][30], b[40][30], c[30];
void f(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = (i > 0 ? a[i - 1][j] : 0) + (i + 1 < n ? a[i + 1][j] : 0) + (j > 0 ? a[i][j - 1] : 0);
  for (int j = 0; j < m; j++) c[j] = j > 0 ? c[j] + b[0][j - 1] : c[j];
#pragma endscop
}
int main(void) { FILL(&a[0][0], 1200); FILL(c, 30); f(40, 30); f(10, 30); PRINT(&b[0][0], 1200); PRINT(c, 30); }
