/* covariance: covariance matrix of M variables, N observations each. */
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

static void fill(DATA_TYPE data[N][M]) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) data[i][j] = (DATA_TYPE)((i * (j + 2)) % 53) / 9;
}

static void covary(DATA_TYPE float_n, DATA_TYPE data[N][M], DATA_TYPE cov[M][M], DATA_TYPE mean[M]) {
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_covary(void *const *arrays);
  void *const tune_arrays[] = {(void *)mean, (void *)data, (void *)&float_n, (void *)cov};
  tune_region_covary(tune_arrays);
}
else {
  for (int j = 0; j < M; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < N; i++) mean[j] += data[i][j];
    mean[j] /= float_n;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) data[i][j] -= mean[j];
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      cov[i][j] = 0.0;
      for (int k = 0; k < N; k++) cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= (float_n - 1.0);
      cov[j][i] = cov[i][j];
    }
}
}

int main(void) {
  static DATA_TYPE data[N][M], cov[M][M], mean[M];
  fill(data);
  covary(N, data, cov, mean);
  printf("cov %.9e\ndata %.9e\nmean %.9e\n", weigh(M * M, &cov[0][0]), weigh(N * M, &data[0][0]),
         weigh(M, mean));
  return 0;
}
