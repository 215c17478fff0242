/* Forces of bodies on one another, distances in locals. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 3000
#endif

static double x[N], y[N], m[N], fx[N], fy[N];

static void forces(void) {
#pragma scop
  for (int i = 0; i < N; i++) {
    double sx = 0, sy = 0;
    for (int j = 0; j < N; j++) {
      double dx = x[j] - x[i];
      double dy = y[j] - y[i];
      double d = dx * dx + dy * dy + 0.01;
      double f = m[j] / (d * sqrt(d));
      sx += f * dx;
      sy += f * dy;
    }
    fx[i] = sx;
    fy[i] = sy;
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < N; ++i) {
    x[i] = (double)(i * 37 % 1009) / 1009;
    y[i] = (double)(i * 61 % 1013) / 1013;
    m[i] = (double)(i % 7 + 1) / 7;
  }
  forces();
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += fx[i] * (i % 13 + 1) + fy[i] * (i % 11 + 1);
  printf("f %.6e\n", sum);
  return 0;
}
