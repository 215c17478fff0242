/* 2mm: D = alpha A B C + beta D, through T = alpha A B. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NI
#define NI 90
#endif
#ifndef NJ
#define NJ 80
#endif
#ifndef NK
#define NK 100
#endif
#ifndef NL
#define NL 70
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int rows, int columns, int stride, DATA_TYPE X[rows][columns]) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) X[i][j] = (DATA_TYPE)((stride * i + 3 * j + 1) % 29) / 29;
}

static void two_products(int ni, int nj, int nk, int nl, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE T[ni][nj],
                         DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj], DATA_TYPE C[nj][nl], DATA_TYPE D[ni][nl]) {
  int i, j, k;
#pragma scop
  for (i = 0; i < ni; i++)
    for (j = 0; j < nj; j++) {
      T[i][j] = 0.0;
      for (k = 0; k < nk; ++k) T[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (i = 0; i < ni; i++)
    for (j = 0; j < nl; j++) {
      D[i][j] *= beta;
      for (k = 0; k < nj; ++k) D[i][j] += T[i][k] * C[k][j];
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE T[NI][NJ], A[NI][NK], B[NK][NJ], C[NJ][NL], D[NI][NL];
  fill(NI, NK, 2, A);
  fill(NK, NJ, 5, B);
  fill(NJ, NL, 7, C);
  fill(NI, NL, 11, D);
  two_products(NI, NJ, NK, NL, 1.5, 1.2, T, A, B, C, D);
  printf("D %.9e\n", weigh(NI * NL, &D[0][0]));
  return 0;
}
