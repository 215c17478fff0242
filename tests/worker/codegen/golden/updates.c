// n=1000 m=128: a thread updates neighbours at once, and adds them up along columns
void updates(int n, int m, float A[n][m], float u[n], float v[m], float s[m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) A[i][j] = A[i][j] + u[i] * v[j];
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) s[j] += A[i][j] * u[i];
#pragma endscop
}
