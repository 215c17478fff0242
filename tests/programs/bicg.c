/* bicg: the two matrix-vector products of a BiCG step, s = transpose(A) r and q = A p. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 410
#endif
#ifndef M
#define M 390
#endif

static DATA_TYPE A[N][M], s[M], q[N], p[M], r[N];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int n, int m) {
  for (int i = 0; i < m; ++i) p[i] = (DATA_TYPE)(i % 37) / 37;
  for (int i = 0; i < n; ++i) {
    r[i] = (DATA_TYPE)(i % 41) / 41;
    for (int j = 0; j < m; ++j) A[i][j] = (DATA_TYPE)((2 * i + j) % 43) / 43;
  }
}

static void bicg(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++) s[i] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0.0;
    for (int j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
#pragma endscop
}

int main(void) {
  fill(N, M);
  bicg(N, M);
  printf("s %.9e\nq %.9e\n", weigh(M, s), weigh(N, q));
  return 0;
}
