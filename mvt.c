/* mvt: x1 += A y1 and x2 += transpose(A) y2. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 400
#endif

static DATA_TYPE A[N][N], x1[N], x2[N], y1[N], y2[N];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < N; ++i) {
    x1[i] = (DATA_TYPE)(i % 137) / 137;
    x2[i] = (DATA_TYPE)((i + 1) % 139) / 139;
    y1[i] = (DATA_TYPE)((i + 3) % 149) / 149;
    y2[i] = (DATA_TYPE)((i + 4) % 151) / 151;
    for (int j = 0; j < N; ++j) A[i][j] = (DATA_TYPE)((i * j) % 157) / 157;
  }
}

static void mvt(void) {
  int i, j;
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_mvt(void *const *arrays);
  void *const tune_arrays[] = {(void *)A, (void *)y1, (void *)x1, (void *)y2, (void *)x2};
  tune_region_mvt(tune_arrays);
}
else {
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) x1[i] = x1[i] + A[i][j] * y1[j];
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) x2[i] = x2[i] + A[j][i] * y2[j];
}
}

int main(void) {
  fill();
  mvt();
  printf("x1 %.9e\nx2 %.9e\n", weigh(N, x1), weigh(N, x2));
  return 0;
}
