// An image at places between its pixels: rounded numbers decide what is read, and no loop has the image's lengths.
// build:
// build: -O2
// parameters: rows=30,step=24,high=17,wide=40
#include <math.h>
#include "checksum.h"

static unsigned char image[30 * 24], scaled[17 * 40];
static double turned[17 * 40];

static int clamp(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

static void resample(int rows, int step, const unsigned char from[restrict rows][step], int high,
                     int wide, unsigned char to[restrict high][wide], double by[restrict high][wide]) {
#pragma scop
  for (int i = 0; i < high; i++)
    for (int j = 0; j < wide; j++) {
      float y = (i + 0.5f) * 30 / 17 - 0.5f, x = (j + 0.5f) * 20 / 40 - 0.5f;
      float down = y - floorf(y), right = x - floorf(x);
      int top = clamp((int)floorf(y), 0, 28), left = clamp((int)floorf(x), 0, 18);
      int below = top + 1;
      to[i][j] = (1 - down) * ((1 - right) * from[top][left] + right * from[top][left + 1]) +
                 down * ((1 - right) * from[below][left] + right * from[below][left + 1]);
      int row = (int)(0.8f * y + 0.6f * x), column = (int)(0.8f * x - 0.6f * y);
      row = clamp(row, 0, 29);
      column = clamp(column, 0, 19);
      by[i][j] = from[row][column] * 0.5;
    }
#pragma endscop
}

int main(void) {
  FILL(image, 30 * 24);
  resample(30, 24, (const unsigned char(*)[24])image, 17, 40, (unsigned char(*)[40])scaled,
           (double(*)[40])turned);
  PRINT(scaled, 17 * 40);
  PRINT(turned, 17 * 40);
  return 0;
}
