// n=200: few threads, each with two long recurrences, whose loads run ahead; the second counts down
void recurrences(int n, float d, float u[n][n], float p[n][n], float x[n][n]) {
#pragma scop
  for (int i = 1; i < n - 1; i++) {
    p[i][0] = 1;
    for (int j = 1; j < n; j++) p[i][j] = (u[j][i - 1] + u[j][i + 1]) / (d + p[i][j - 1]);
  }
  for (int i = 1; i < n - 1; i++) {
    x[n - 1][i] = 0;
    for (int j = n - 2; j >= 0; j--) x[j][i] = p[i][j] * x[j + 1][i];
  }
#pragma endscop
}
