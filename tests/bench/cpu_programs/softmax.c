/* Softmax of the rows of a matrix: largest element, exponentials, their sum, quotients. */
#include <math.h>
#include <stdio.h>

#ifndef M
#define M 1500
#endif
#ifndef N
#define N 1000
#endif

static double x[M][N], y[M][N];

static void softmax(void) {
#pragma scop
  for (int i = 0; i < M; i++) {
    double largest = x[i][0];
    for (int j = 1; j < N; j++) largest = x[i][j] > largest ? x[i][j] : largest;
    double sum = 0;
    for (int j = 0; j < N; j++) {
      y[i][j] = exp(x[i][j] - largest);
      sum += y[i][j];
    }
    for (int j = 0; j < N; j++) y[i][j] /= sum;
  }
#pragma endscop
}

int main(void) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) x[i][j] = (double)((i * 5 + j * 11) % 97) / 97;
  softmax();
  double sum = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) sum += y[i][j] * (i % 13 + j % 7 + 1);
  printf("y %.9e\n", sum);
  return 0;
}
