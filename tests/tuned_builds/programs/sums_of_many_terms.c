// build:
// build: -O2 -Dreal=double
// parameters: n=20,t=3
// Sums of more terms than operations may stand inside one another: every term of a stencil, numbers of other types.
#include "checksum.h"
#ifndef real
#define real float
#endif
static real a[2][20][20], b[20][20];
static double d[20];

#define ROW(i, w) \
  +(w + 0.01f) * a[s % 2][i][j - 3] - (w + 0.02f) * a[s % 2][i][j - 2] + (w + 0.03f) * a[s % 2][i][j - 1] \
  - (w - 0.04f) * a[s % 2][i][j] + (w + 0.05f) * a[s % 2][i][j + 1] - a[s % 2][i][j + 2] * w \
  + (w + 0.07f) * a[s % 2][i][j + 3]

void stencil(int n, int t) {
#pragma scop
  for (int s = 0; s < t; s++)
    for (int i = 3; i < n - 3; i++)
      for (int j = 3; j < n - 3; j++)
        a[(s + 1) % 2][i][j] = 0.0153f * b[i][j] ROW(i - 3, 0.01f) ROW(i - 2, 0.02f) ROW(i - 1, 0.03f)
            ROW(i, 0.04f) ROW(i + 1, 0.03f) ROW(i + 2, 0.02f) ROW(i + 3, 0.01f);
#pragma endscop
}
void numbers(int n, unsigned u, long l, float f) {
#pragma scop
  for (int i = 0; i < n; i++)
    d[i] += b[i][0] - u + l - f - i + b[i][1] - b[i][2] - (u - 2) + n - b[i][3] + b[i][4] - f * u + b[i][5]
        - b[i][6] - b[i][7] + b[i][8] - (i + 1) + b[i][9] - l - b[i][10] + (b[i][11] - b[i][12]) - 1;
#pragma endscop
}

int main(void) {
  for (int i = 0; i < 20; i++) {
    d[i] = i;
    for (int j = 0; j < 20; j++) {
      a[0][i][j] = a[1][i][j] = (real)((i * 7 + j * 3) % 11) / 8;
      b[i][j] = (real)((i * 5 + j) % 13) / 4;
    }
  }
  stencil(20, 3);
  numbers(20, 3u, -4, 0.5f);
  PRINT(&a[0][0][0], 800);
  PRINT(d, 20);
  return 0;
}
