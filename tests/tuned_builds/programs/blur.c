// build:
// build: -O2 -DUNUSED=1
// parameters: n=20,m=24
#include "checksum.h"
void f(int n, int m, unsigned char in[n][m], unsigned char out[n][m]) {
#pragma scop
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++) {
      int sum = 0;
      for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++) sum += in[i + y][j + x];
      out[i][j] = sum / 25;
    }
#pragma endscop
}
static unsigned char a[480], b[480];
int main(void) { FILL(a, 480); FILL(b, 480); f(20, 24, (unsigned char (*)[24])a, (unsigned char (*)[24])b); f(20, 20, (unsigned char (*)[20])a, (unsigned char (*)[20])b); PRINT(b, 480); }
