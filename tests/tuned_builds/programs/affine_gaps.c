// build:
// device: --set wavefront_tiles=on
// Alignments with gaps of their own costs: three tables, of which each needs elements of the others.
#include <stdio.h>

#define ROWS 270
#define COLUMNS 275

static float h[ROWS][COLUMNS], e[ROWS][COLUMNS], f[ROWS][COLUMNS];
static int a[ROWS], b[COLUMNS];

int main(void) {
  for (int i = 0; i < ROWS; i++) a[i] = i * i % 4;
  for (int j = 0; j < COLUMNS; j++) b[j] = j * 7 % 4;
#pragma scop
  for (int i = 1; i < ROWS; i++)
    for (int j = 1; j < COLUMNS; j++) {
      e[i][j] = e[i][j - 1] - 1.0f > h[i][j - 1] - 3.0f ? e[i][j - 1] - 1.0f : h[i][j - 1] - 3.0f;
      f[i][j] = f[i - 1][j] - 1.0f > h[i - 1][j] - 3.0f ? f[i - 1][j] - 1.0f : h[i - 1][j] - 3.0f;
      h[i][j] = h[i - 1][j - 1] + (a[i] == b[j] ? 4.0f : -2.5f);
      h[i][j] = e[i][j] > h[i][j] ? e[i][j] : h[i][j];
      h[i][j] = f[i][j] > h[i][j] ? f[i][j] : h[i][j];
      h[i][j] = h[i][j] > 0.0f ? h[i][j] : 0.0f;
    }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) sum += (i % 13 + j % 7 + 1) * (double)(h[i][j] + e[i][j] + 2 * f[i][j]);
  printf("%.17g\n", sum);
  return 0;
}
