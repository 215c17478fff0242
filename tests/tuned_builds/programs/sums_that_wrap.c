// build:
// build: -DTARGET=float
// build: -DTARGET=long
// build: -DTARGET=unsigned
// device: --multiprocessors 4
// Sums of two products of unsigned numbers, which wrap before the target's type takes them.
#include <stdio.h>
#ifndef TARGET
#define TARGET double
#endif
#define ROWS 70
#define LENGTH 580
static unsigned a[ROWS][LENGTH], b[ROWS][LENGTH];
static TARGET c[ROWS][ROWS];
int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < LENGTH; k++) {
      a[i][k] = 60000 + i;
      b[i][k] = 50000 + k;
    }
#pragma scop
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < LENGTH; k++)
      for (int j = 0; j <= i; j++) c[i][j] += a[j][k] * b[i][k] + b[j][k] * a[i][k];
#pragma endscop
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j <= i; j++) sum += (double)c[i][j];
  printf("%.17g\n", sum);
}
