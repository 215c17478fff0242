// n=110 m=90: rows of one array are columns of another one
void transposition(int n, int m, float a[n][m], float c[m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = a[i][j];
#pragma endscop
}
