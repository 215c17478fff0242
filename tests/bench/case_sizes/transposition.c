void transposition(int n, int m, float a[restrict n][m], float c[restrict m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = a[i][j];
#pragma endscop
}
