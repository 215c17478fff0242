/* C = A B of n x n matrices, in blocks of TILE_I rows and TILE_J columns of C. With TRANSPOSED the second matrix is
   copied first, so that its columns lie in a row. UNROLL sums are made side by side. */
#ifndef TILE_I
#define TILE_I 16
#define TILE_J 16
#define UNROLL 1
#define TRANSPOSED 0
#endif

#if TRANSPOSED
#define SECOND(k, j) T[(j) * n + (k)]
#else
#define SECOND(k, j) B[(k) * n + (j)]
#endif

void transpose(int n, const double *restrict B, double *restrict T) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) T[j * n + i] = B[i * n + j];
}

void matmul(int n, const double *restrict A, const double *restrict B, const double *restrict T,
            double *restrict C) {
  for (int it = 0; it < n; it += TILE_I)
    for (int jt = 0; jt < n; jt += TILE_J)
      for (int i = it; i < it + TILE_I; i++)
        for (int j = jt; j < jt + TILE_J; j++) {
          double sum[UNROLL] = {0}, total = 0;
          for (int k = 0; k < n; k += UNROLL)
            for (int u = 0; u < UNROLL; u++) sum[u] += A[i * n + k + u] * SECOND(k + u, j);
          for (int u = 0; u < UNROLL; u++) total += sum[u];
          C[i * n + j] = total;
        }
}
