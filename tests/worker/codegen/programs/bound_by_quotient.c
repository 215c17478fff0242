void add(long n, long m, float *restrict y, const float *restrict x) {
#pragma scop
  for (long i = 0; 1001 * i < 1000 * n; i++) y[i] += x[i];
  for (long i = 0; i < m; i++) y[i] += 1;
#pragma endscop
}
