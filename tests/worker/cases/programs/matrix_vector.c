void matrix_vector(int n, double a[n][n], double x[n], double y[n], double z[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += a[i][j] * x[j];
    y[i] *= 2;
  }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      z[i] += a[j][i] * y[j];
#pragma endscop
}
