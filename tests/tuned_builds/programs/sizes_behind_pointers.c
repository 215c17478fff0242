// build:
// build: -DSIZE=long
// build: -DSIZE=short -O2
// parameters: tune_d_2=5,tune_d_1=4,tune_d_0=6,tune_few_0=7,tune_few_1=3,tune_of_1_0=3,tune_of_0_1=5
// Sizes that stand behind pointers, which regions may write on the way, and of which some are not there.
#include <stdlib.h>
#include "checksum.h"
#ifndef SIZE
#define SIZE int
#endif
static double u[8][8][8], v[8][8][8];
static void evolve(double from[8][8][8], double to[8][8][8], int t, SIZE d[3]) {
#pragma scop
  for (int k = 0; k < d[2]; k++)
    for (int j = 0; j < d[1]; j++)
      for (int i = 0; i < d[0]; i++) to[k][j][i] = from[k][j][i] * t + i;
#pragma endscop
}
/* The second size is there where the first one is more than zero. */
static void sums(double *restrict x, const SIZE *few) {
#pragma scop
  for (int i = 0; i < few[0]; i++)
    for (int j = 0; j < few[1]; j++) x[i] += j + few[0];
#pragma endscop
}
static void overwrite(SIZE *to, SIZE (*of)[2]) {
#pragma scop
  for (int i = 0; i < of[1][0]; i++)
    for (int j = 0; j < of[0][1]; j++) to[3 * i + j] = 2 + i;
#pragma endscop
}
int main(void) {
  SIZE d[3] = {6, 4, 5}, shape[12][2] = {{9, 5}, {3, 9}}, other[40];
  FILL(&u[0][0][0], 512);
  evolve(u, v, 3, d);
  d[0] = 8, d[1] = 1, d[2] = 7;
  evolve(v, u, 2, d);
  d[1] = -1;
  evolve(u, v, 2, d);
  d[1] = 8, d[2] = 0;
  evolve(u, v, 2, d);
  PRINT(&u[0][0][0], 512);
  PRINT(&v[0][0][0], 512);
  SIZE *few = malloc(2 * sizeof *few), *none = malloc(sizeof *none);
  few[0] = 7, few[1] = 3, none[0] = 0;
  sums(&u[0][0][0], few);
  sums(&u[1][0][0], none);
  PRINT(&u[0][0][0], 512);
  FILL(other, 40);
  overwrite(other, shape);
  PRINT(other, 40);
  /* The sizes are among what is written, and become others on the way. */
  overwrite(&shape[0][0], shape);
  PRINT(&shape[0][0], 24);
  shape[0][1] = 5, shape[1][0] = 3;
  overwrite(&shape[1][1], shape);
  PRINT(&shape[0][0], 24);
  free(few);
  free(none);
}
