// Elements that data decide: reads of one, two and nested subscripts, under a condition; sums.
void spread(int n, int m, int *restrict idx, int at[n][4], double x[m], float b[n][m], double y[n],
            int hist[restrict 256], double far[m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = x[idx[i]] + b[i][at[i][3] + 1];
    if (idx[i] > 7) y[i] = x[at[idx[2 * i]][0]];
    hist[idx[i]] += 1;
    if (y[i] > 0.5) far[at[i][1]] -= y[i];
  }
#pragma endscop
}
