/* durbin: Yule-Walker equations of a Toeplitz matrix by Levinson-Durbin recursion. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 600
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

/* A geometric autocorrelation keeps every reflection coefficient below one. */
static void fill(int n, DATA_TYPE r[n]) {
  DATA_TYPE power = 0.5;
  for (int i = 0; i < n; ++i) {
    r[i] = power + (i == 0 ? 0 : (DATA_TYPE)(i % 5) / (100 * i));
    power *= 0.5;
  }
}

static void durbin(int n, DATA_TYPE r[n], DATA_TYPE y[n]) {
  DATA_TYPE z[N];
  DATA_TYPE alpha, beta, sum;
  int i, k;

#pragma scop
  y[0] = -r[0];
  beta = 1.0;
  alpha = -r[0];
  for (k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    sum = 0.0;
    for (i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    for (i = 0; i < k; i++) y[i] = z[i];
    y[k] = alpha;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE r[N], y[N];
  fill(N, r);
  durbin(N, r, y);
  printf("y %.9e\n", weigh(N, y));
  return 0;
}
