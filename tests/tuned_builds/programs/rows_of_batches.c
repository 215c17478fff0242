// build:
// build: -O2 -DTYPE=double
// build: -DROWS=21
// parameters: B=3,T=11,C=19,OC=23
// Products of several matrices with one, whose rows are those of one matrix: in arrays of three dimensions, where each
// row takes the place of what it was made of, and in arrays of one.
#include "checksum.h"
#ifndef TYPE
#define TYPE float
#endif
#ifndef ROWS
#define ROWS 20
#endif
#define MATRICES 7
#define WIDTH 18
static TYPE a[MATRICES][ROWS][WIDTH], w[WIDTH][WIDTH], last[WIDTH];
static TYPE in[1200], weight[450], bias[30], out[800];
static void in_place(void) {
#pragma scop
  for (int i = 0; i < MATRICES; i++)
    for (int j = 0; j < ROWS; j++) {
      for (int p = 0; p < WIDTH; p++) {
        last[p] = 0;
        for (int k = 0; k < WIDTH; k++) last[p] += a[i][j][k] * w[k][p];
      }
      for (int p = 0; p < WIDTH; p++) a[i][j][p] = last[p];
    }
#pragma endscop
}
static void forward(TYPE *y, const TYPE *x, int B, int T, int C, int OC) {
#pragma scop
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int o = 0; o < OC; o++) {
        y[b * T * OC + t * OC + o] = bias[o];
        for (int i = 0; i < C; i++) y[b * T * OC + t * OC + o] += x[b * T * C + t * C + i] * weight[o * C + i];
      }
#pragma endscop
}
int main(void) {
  FILL(&a[0][0][0], MATRICES * ROWS * WIDTH);
  FILL(&w[0][0], WIDTH * WIDTH);
  FILL(in, 1200);
  FILL(weight, 450);
  FILL(bias, 30);
  in_place();
  PRINT(&a[0][0][0], MATRICES * ROWS * WIDTH);
  PRINT(last, WIDTH);
  forward(out, in, 3, 11, 19, 23);
  PRINT(out, 800);
  forward(out, in, 2, 11, 19, 23);
  PRINT(out, 800);
  forward(in + 400, in, 3, 11, 19, 23);
  PRINT(in, 1200);
}
