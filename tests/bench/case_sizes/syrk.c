void syrk(int n, int m, float C[restrict n][n], float A[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[i][j] *= 0.5f;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) C[i][j] += 1.5f * A[i][k] * A[j][k];
  }
#pragma endscop
}
