// n=1000 k=8: elements that data decide, read by a sum and updated by atomic operations; one that is not.
void spmv(int n, int k, int column[n][k], double value[n][k], double x[n], double y[n], int to[n], int bins[64],
          double largest[n]) {
#pragma scop
  for (int b = 0; b < 64; b++) bins[b] = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < k; j++) sum += value[i][j] * x[column[i][j]];
    y[i] = sum;
    bins[to[i]] += 1;
  }
  for (int i = 0; i < n; i++)
    if (y[i] > largest[to[i]]) largest[to[i]] = y[i];
#pragma endscop
}
