/* A pointer that goes on in the rows behind its own, and a walk whose end is a pointer. */
void row_walks(int steps, int n, int m, float A[n][m], float *y) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    float *p = &A[0][0];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) *p++ += A[n - 1 - i][j];
    float *q = y, *end = y + n;
    while (q < end) *q++ += t;
  }
#pragma endscop
}
