void mvt(int n, float x[restrict n], float y[restrict n], float u[restrict n], float v[restrict n],
         float A[restrict n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] = x[i] + A[i][j] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i] = y[i] + A[j][i] * v[j];
#pragma endscop
}
