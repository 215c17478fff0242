// build:
// build: -O2 -DREAL=double
// parameters: B=2,T=7,C=12,NH=3,hs=4,C3=36,n=5,w=9
// Heads that are parts of rows, in arrays of one dimension: the original runs where they are none.
#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
static REAL in[800], scores[400], out[300], halves[200];
static void attention(REAL *out, REAL *preatt, const REAL *inp, int B, int T, int C, int NH) {
  int C3 = C * 3;
  int hs = C / NH;
#pragma scop
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int h = 0; h < NH; h++) {
        const REAL *query = inp + b * T * C3 + t * C3 + h * hs;
        REAL *preatt_bth = preatt + b * NH * T * T + h * T * T + t * T;
        REAL *out_bth = out + b * T * C + t * C + h * hs;
        for (int t2 = 0; t2 <= t; t2++) {
          const REAL *key = inp + b * T * C3 + t2 * C3 + h * hs + C;
          for (int i = 0; i < hs; i++) preatt_bth[t2] += query[i] * key[i];
        }
        for (int t2 = 0; t2 <= t; t2++) {
          const REAL *value = inp + b * T * C3 + t2 * C3 + h * hs + C * 2;
          for (int i = 0; i < hs; i++) out_bth[i] += preatt_bth[t2] * value[i];
        }
      }
#pragma endscop
}
static void summed(REAL *a, const REAL *b, int n, int w) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w / 2; j++) a[i * (w / 2) + j] += b[i * w + 2 * j] + b[i * w + 2 * j + 1];
#pragma endscop
}
int main(void) {
  FILL(in, 800); FILL(halves, 200);
  attention(out, scores, in, 2, 7, 12, 3); PRINT(out, 300); PRINT(scores, 400);
  attention(out, scores, in, 1, 7, 13, 3); PRINT(out, 300); PRINT(scores, 400);
  attention(in + 600, scores, in, 1, 3, 6, 2); PRINT(in, 800);
  attention(out, in + 100, in, 2, 7, 12, 3); PRINT(in, 800);
  summed(halves, in, 5, 9); PRINT(halves, 200);
  summed(halves, in, 5, 8); PRINT(halves, 200);
  summed(halves, in, 3, 1); PRINT(halves, 200);
  summed(halves, halves + 1, 5, 9); PRINT(halves, 200);
}
