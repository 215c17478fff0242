void transpose(int n, int m, double a[n][m], double c[m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[j][i] = a[i][j];
#pragma endscop
}
