/* Bounds that are products of parameters, and truth values. */
void mark(int n, unsigned m, const float *restrict values, _Bool *restrict marks, int *restrict count) {
#pragma scop
  for (int i = 0; i < n * (n - 1); i++) {
    const _Bool odd = i % 2;
    marks[i] = values[i] - 2;
    count[i] += odd;
  }
  for (unsigned i = 0; i < m * m; i++) marks[i] += count[i];
#pragma endscop
}
