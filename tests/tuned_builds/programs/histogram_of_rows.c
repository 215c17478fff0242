// build:
// build: -O2 -DUNUSED=1
// parameters: n=20,m=30
#include "checksum.h"
static int in[20][30]; static long sums[20]; static int columns[30];
void f(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++) { sums[i] = 0; for (int j = 0; j < m; j++) { sums[i] += in[i][j]; columns[j] += in[i][j]; } }
#pragma endscop
}
int main(void) { FILL(&in[0][0], 600); FILL(columns, 30); f(20, 30); f(10, 30); PRINT(sums, 20); PRINT(columns, 30); }
