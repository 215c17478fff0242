// steps=3 n=520: points of a thread, full blocks apart from the others, launches to and fro
void sweeps(int steps, int n, float A[n][n], float B[n][n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) B[i][j] = A[i][j - 1] + A[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) A[i][j] = B[i - 1][j] + B[i + 1][j];
  }
#pragma endscop
}
