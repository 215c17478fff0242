/* gemm: C = alpha A B + beta C. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NI
#define NI 120
#endif
#ifndef NJ
#define NJ 130
#endif
#ifndef NK
#define NK 140
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int ni, int nj, int nk, DATA_TYPE C[ni][nj], DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj]) {
  for (int i = 0; i < ni; ++i)
    for (int j = 0; j < nj; ++j) C[i][j] = (DATA_TYPE)((3 * i + j) % 17) / 17;
  for (int i = 0; i < ni; ++i)
    for (int k = 0; k < nk; ++k) A[i][k] = (DATA_TYPE)((i + 5 * k) % 19) / 19;
  for (int k = 0; k < nk; ++k)
    for (int j = 0; j < nj; ++j) B[k][j] = (DATA_TYPE)((7 * k + 2 * j) % 23) / 23;
}

static void gemm(int ni, int nj, int nk, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[ni][nj],
                 DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj]) {
#pragma scop
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++) C[i][j] *= beta;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++) C[i][j] += alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE C[NI][NJ], A[NI][NK], B[NK][NJ];
  fill(NI, NJ, NK, C, A, B);
  gemm(NI, NJ, NK, 1.5, 1.2, C, A, B);
  printf("C %.9e\n", weigh(NI * NJ, &C[0][0]));
  return 0;
}
