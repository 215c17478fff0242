/* fdtd-2d: finite-difference time-domain steps of a 2D electromagnetic field. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TMAX
#define TMAX 20
#endif
#ifndef NX
#define NX 90
#endif
#ifndef NY
#define NY 100
#endif

static DATA_TYPE ex[NX][NY], ey[NX][NY], hz[NX][NY], source[TMAX];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(void) {
  for (int t = 0; t < TMAX; ++t) source[t] = (DATA_TYPE)t;
  for (int i = 0; i < NX; ++i)
    for (int j = 0; j < NY; ++j) {
      ex[i][j] = (DATA_TYPE)(i * (j + 1) % 59) / 59;
      ey[i][j] = (DATA_TYPE)((i + 2) * j % 61) / 61;
      hz[i][j] = (DATA_TYPE)((i + 3) * (j + 4) % 67) / 67;
    }
}

static void propagate(int tmax, int nx, int ny) {
  int t, i, j;
#pragma scop
  for (t = 0; t < tmax; t++) {
    for (j = 0; j < ny; j++) ey[0][j] = source[t];
    for (i = 1; i < nx; i++)
      for (j = 0; j < ny; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (i = 0; i < nx; i++)
      for (j = 1; j < ny; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (i = 0; i < nx - 1; i++)
      for (j = 0; j < ny - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}

int main(void) {
  fill();
  propagate(TMAX, NX, NY);
  printf("ex %.9e\n", weigh(NX * NY, &ex[0][0]));
  printf("ey %.9e\n", weigh(NX * NY, &ey[0][0]));
  printf("hz %.9e\n", weigh(NX * NY, &hz[0][0]));
  return 0;
}
