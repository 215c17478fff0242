/* Jacobi iteration on a square grid with a five-point stencil, the loop nest marked for tuning.
 *
 *   tunectl tune client/examples/jacobi-2d.c
 *   tunectl tune client/examples/jacobi-2d.c -DN=4000 -DSTEPS=20
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif
#ifndef STEPS
#define STEPS 100
#endif

static void fill(int n, double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = ((double)i * (j + 2) + 2) / n;
      B[i][j] = ((double)i * (j + 3) + 3) / n;
    }
}

static void jacobi_2d(int steps, int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
  }
#pragma endscop
}

int main(void) {
  double(*A)[N] = malloc(sizeof(double[N][N]));
  double(*B)[N] = malloc(sizeof(double[N][N]));
  if (A == NULL || B == NULL) {
    fprintf(stderr, "jacobi-2d: out of memory\n");
    return 1;
  }
  fill(N, A, B);
  jacobi_2d(STEPS, N, A, B);
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += A[i][j] * ((i + 2 * j) % 7 - 3);
  printf("jacobi-2d %d steps of %d x %d: checksum %.6e\n", STEPS, N, N, sum);
  free(A);
  free(B);
  return 0;
}
