// steps=5 n=90: several steps a launch, a block for each tile
void tiles_of_time(int steps, int n, float A[n][n], float B[n][n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) B[i][j] = 0.25f * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j];
  }
#pragma endscop
}
