// n=900 m=50 exact: sums in order, whose terms others fetch into two copies of a tile
void ordered(int n, int m, float A[n][m], float q[n], float s[m]) {
#pragma scop
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) s[j] += q[i] * A[i][j];
#pragma endscop
}
