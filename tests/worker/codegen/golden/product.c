// n=300 m=290 k=80: tiles in shared memory and registers, at the rim padded
void product(int n, int m, int k, float A[n][k], float B[k][m], float C[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++) C[i][j] += A[i][l] * B[l][j];
#pragma endscop
}
