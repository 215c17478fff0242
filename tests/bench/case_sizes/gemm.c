void gemm(int ni, int nj, int nk, float C[restrict ni][nj], float A[restrict ni][nk], float B[restrict nk][nj]) {
#pragma scop
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++) C[i][j] *= 0.5f;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++) C[i][j] += 1.5f * A[i][k] * B[k][j];
  }
#pragma endscop
}
