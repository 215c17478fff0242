/* Matrix product C = alpha * A * B + beta * C, with the loop nest marked for tuning.
 *
 *   tunectl tune client/examples/gemm.c
 *   tunectl tune client/examples/gemm.c -DNI=2000 -DNJ=2000 -DNK=2000 -DDATA_TYPE=float
 *
 * The program fills the matrices with numbers that are the same in every run, computes the product once, and
 * prints a checksum.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef NI
#define NI 700
#endif
#ifndef NJ
#define NJ 800
#endif
#ifndef NK
#define NK 900
#endif
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif

static void fill(int rows, int columns, int seed, DATA_TYPE matrix[rows][columns]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      matrix[i][j] = (DATA_TYPE)((i * (j + seed) + seed) % columns) / columns;
}

static void gemm(int ni, int nj, int nk, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[ni][nj],
                 DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj]) {
#pragma scop
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++)
      C[i][j] *= beta;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}

static double checksum(int rows, int columns, DATA_TYPE matrix[rows][columns]) {
  double sum = 0.0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      sum += matrix[i][j] * ((i + 2 * j) % 7 - 3);
  return sum;
}

int main(void) {
  DATA_TYPE(*A)[NK] = malloc(sizeof(DATA_TYPE[NI][NK]));
  DATA_TYPE(*B)[NJ] = malloc(sizeof(DATA_TYPE[NK][NJ]));
  DATA_TYPE(*C)[NJ] = malloc(sizeof(DATA_TYPE[NI][NJ]));
  if (A == NULL || B == NULL || C == NULL) {
    fprintf(stderr, "gemm: out of memory\n");
    return 1;
  }
  fill(NI, NK, 1, A);
  fill(NK, NJ, 2, B);
  fill(NI, NJ, 3, C);
  gemm(NI, NJ, NK, (DATA_TYPE)1.5, (DATA_TYPE)1.2, C, A, B);
  printf("gemm %d x %d x %d: checksum %.6e\n", NI, NJ, NK, checksum(NI, NJ, C));
  free(A);
  free(B);
  free(C);
  return 0;
}
