void with_a_hole(int n, int m, int k, double c[n][m], double a[n][k], double b[k][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++)
        if (l < 3 || l > 6)
          c[i][j] += a[i][l] * b[l][j];
#pragma endscop
}
