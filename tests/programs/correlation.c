/* correlation: correlation matrix of M variables, N observations each. */
#include <math.h>
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 90
#endif
#ifndef N
#define N 110
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(int n, int m, DATA_TYPE data[n][m]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) data[i][j] = (DATA_TYPE)((i * j + 3 * i) % 47) / 8 + (DATA_TYPE)j / m;
}

static void correlate(int m, int n, DATA_TYPE float_n, DATA_TYPE data[n][m], DATA_TYPE corr[m][m],
                      DATA_TYPE mean[m], DATA_TYPE stddev[m]) {
  int i, j, k;
  DATA_TYPE eps = 0.1;

#pragma scop
  for (j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (i = 0; i < n; i++) mean[j] += data[i][j];
    mean[j] /= float_n;
  }
  for (j = 0; j < m; j++) {
    stddev[j] = 0.0;
    for (i = 0; i < n; i++) stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    stddev[j] /= float_n;
    stddev[j] = sqrt(stddev[j]);
    stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
  }
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
      data[i][j] -= mean[j];
      data[i][j] /= sqrt(float_n) * stddev[j];
    }
  for (i = 0; i < m - 1; i++) {
    corr[i][i] = 1.0;
    for (j = i + 1; j < m; j++) {
      corr[i][j] = 0.0;
      for (k = 0; k < n; k++) corr[i][j] += (data[k][i] * data[k][j]);
      corr[j][i] = corr[i][j];
    }
  }
  corr[m - 1][m - 1] = 1.0;
#pragma endscop
}

int main(void) {
  static DATA_TYPE data[N][M], corr[M][M], mean[M], stddev[M];
  fill(N, M, data);
  correlate(M, N, N, data, corr, mean, stddev);
  printf("corr %.9e\ndata %.9e\n", weigh(M * M, &corr[0][0]), weigh(N * M, &data[0][0]));
  printf("mean %.9e\nstddev %.9e\n", weigh(M, mean), weigh(M, stddev));
  return 0;
}
