// build:
// build: -O2 -DUNUSED=1
// parameters: n=24,m=30
#include "checksum.h"
static float in[24][30], out[24][30], rows[24]; static int mask[24];
void f(int n, int m, float limit) {
#pragma scop
  for (int i = 0; i < n; i++) {
    rows[i] = 0;
    if (mask[i] & 1)
      for (int j = 0; j < m; j++) {
        if (in[i][j] > limit) rows[i] += in[i][j];
        if (limit > 0) out[i][j] = in[i][j]; else out[i][j] = -limit;
      }
  }
#pragma endscop
}
int main(void) {
  FILL(&in[0][0], 720); FILL(mask, 24); f(24, 30, 2.5f); f(10, 30, -1.5f);
  PRINT(rows, 24); PRINT(&out[0][0], 720);
}
