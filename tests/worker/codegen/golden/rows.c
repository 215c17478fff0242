// n=100 m=300: threads share a sum, with statements before and after it
void rows(int n, int m, double A[n][m], double x[m], double y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
    y[i] = 2 * y[i];
  }
#pragma endscop
}
