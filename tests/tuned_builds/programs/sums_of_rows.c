// build:
// build: -O2
// parameters: n=4096,m=3
#include "checksum.h"
/* Long rows of which threads read several elements at once, and rows that do not allow it. */
static float A[3][4096], x[4096], t[3];
static double D[3][4096], u[3];
static int K[3][4096], k[3];
static float B[3][4097], w[3];
void rows(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      t[i] += A[i][j] * x[j];
      w[i] += B[i][j] * x[j];
    }
#pragma endscop
}
void doubles(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) u[i] += D[i][j] * D[i][j];
#pragma endscop
}
void integers(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) k[i] += K[i][j] * 3;
#pragma endscop
}
int main(void) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4096; j++) {
      A[i][j] = (i + j) % 8;
      B[i][j] = (i * j) % 4;
      D[i][j] = (i + 3 * j) % 16;
      K[i][j] = i - j;
    }
  for (int j = 0; j < 4096; j++) x[j] = j % 2 ? 1 : -1;
  rows(4096, 3);
  doubles(4096, 3);
  integers(4096, 3);
  PRINT(t, 3);
  PRINT(u, 3);
  PRINT(k, 3);
  PRINT(w, 3);
  return 0;
}
