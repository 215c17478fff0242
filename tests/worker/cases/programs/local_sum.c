void product(int n, int m, double a[restrict n][m], double x[restrict m], double y[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
      sum += a[i][j] * x[j];
    y[i] = sum;
  }
#pragma endscop
}
