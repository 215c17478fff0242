/* A 5 x 5 weighted mean, its sum in a local scalar. */
#include <stdio.h>

#ifndef H
#define H 1000
#endif
#ifndef W
#define W 1200
#endif

static float in[H][W], out[H][W], weight[5][5];

static void blur(void) {
#pragma scop
  for (int i = 2; i < H - 2; i++)
    for (int j = 2; j < W - 2; j++) {
      float sum = 0;
      for (int di = 0; di < 5; di++)
        for (int dj = 0; dj < 5; dj++) sum += in[i + di - 2][j + dj - 2] * weight[di][dj];
      out[i][j] = sum;
    }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < H; ++i)
    for (int j = 0; j < W; ++j) in[i][j] = (float)((i * 7 + j * 3) % 101) / 101;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) weight[i][j] = (float)(i + j + 1) / 125;
  blur();
  double sum = 0;
  for (int i = 0; i < H; ++i)
    for (int j = 0; j < W; ++j) sum += out[i][j] * (i % 13 + j % 7 + 1);
  printf("out %.6e\n", sum);
  return 0;
}
