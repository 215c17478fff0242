/* Pointers to rows: a parameter, a global, and names of single rows. */
float **weights;
void rows(int n, int m, double **restrict out, const double *const *in) {
#pragma scop
  for (int i = 1; i < n; i++) {
    const float *w = weights[i];
    for (int j = 0; j <= i; j++) {
      out[i][j] = 0;
      for (int k = 0; k < m; k++) out[i][j] += w[k] * in[i - 1][k + 1];
    }
  }
#pragma endscop
}
