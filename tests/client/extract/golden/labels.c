/* Jumps to labels at the end of a body and amid it. */
void labels(int n, int m, double A[n][m], double x[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i < 3) goto next;
    x[i] = 0;
    for (int j = 0; j < m; j++) {
      if (A[i][j] < 0) goto skip;
      x[i] += A[i][j];
    skip:
      A[i][j] *= 2;
    }
  next:;
  }
#pragma endscop
}
