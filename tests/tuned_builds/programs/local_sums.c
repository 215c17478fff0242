// Sums in local variables, which are one for all iterations, and local arrays, at sizes that are arguments.
// build: -O2
// parameters: n=37,m=53
#include <stdio.h>
#include <stdlib.h>

static float *Numbers(int count, int seed) {
  float *numbers = malloc((count + 1) * sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = (i * 7 + seed) % 23 - 8;
  return numbers;
}
static double last;

static void Layer(int n, int m, const float *restrict w, const float *restrict x, const float *restrict b, float *restrict y) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float sum = b[i];
    for (int j = 0; j < m; j++) sum += w[i * m + j] * x[j];
    y[i] = sum > 0 ? sum : 0;
  }
#pragma endscop
}
static void Product(int n, int m, float alpha, float beta, float c[restrict n][n], float a[restrict n][m], float b[restrict m][n]) {
  double sum;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sum = 0;
      for (int k = 0; k < m; k++) sum += a[i][k] * b[k][j];
      c[i][j] = alpha * sum + beta * c[i][j];
    }
#pragma endscop
  last = sum;
}
static void Triangle(int n, float a[restrict n][n], float x[restrict n], float y[restrict n]) {
#pragma scop
  for (int i = 2; i < n - 1; i++) {
    float sum = 0, most = a[i][0];
    for (int j = 0; j < i; j++) {
      sum += a[i][j] * x[j];
      most = most > a[i][j] ? most : a[i][j];
    }
    y[n - 1 - i] = sum / (most + 9);
  }
#pragma endscop
}
static void Sorted(int n, float a[restrict n][n], float c[restrict n][n]) {
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      float of[3];
      for (int d = 0; d < 3; d++) of[d] = a[i + d - 1][j] + a[i][j + d - 1];
      c[i][j] = of[0] > of[1] ? of[2] - of[1] : of[0] + of[2];
    }
#pragma endscop
}
// There are neither rows nor copies where m is no less than n.
static void Difference(int n, int m, float a[restrict n][n], float x[restrict n], float y[restrict n]) {
#pragma scop
  for (int i = 0; i < n - m; i++) {
    float of[3], sum = 0;
    for (int d = 0; d < 3; d++) of[d] = a[i][d] - x[i];
    for (int j = 0; j < n - m; j++) sum += a[i + m][j] * of[0];
    y[i] = sum - of[2];
  }
  for (int i = 0; i < n; i++) x[i] += 1;
#pragma endscop
}
static double Dot(int n, const float *restrict x, const float *restrict y) {
  double sum = 0;
#pragma scop
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
#pragma endscop
  return sum;
}

int main(void) {
  const int sizes[][2] = {{37, 53}, {4, 70}, {65, 5}, {1, 1}, {3, 2}};
  for (int s = 0; s < 5; s++) {
    const int n = sizes[s][0], m = sizes[s][1];
    float *w = Numbers(n * m, 1), *x = Numbers(m, 2), *b = Numbers(n, 3), *y = Numbers(n, 4);
    float *a = Numbers(n * n, 5), *c = Numbers(n * n, 6), *v = Numbers(n * m, 7);
    Layer(n, m, w, x, b, y);
    Product(n, m, 0.5f, 0.25f, (float(*)[n])c, (float(*)[m])w, (float(*)[n])v);
    printf("%d %d %.6e %.6e %.6e\n", n, m, last, y[n / 2], c[n * n / 2]);
    Triangle(n, (float(*)[n])a, b, y);
    Sorted(n, (float(*)[n])a, (float(*)[n])c);
    Difference(n, m, (float(*)[n])a, b, y);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i % 5 + 1) * y[i];
    for (int i = 0; i < n * n; i++) sum += (i % 7 + 1) * c[i];
    printf("%.6e\n", sum);
    free(w), free(x), free(b), free(y), free(a), free(c), free(v);
  }
  const int lengths[] = {2, 5, 5000, 300000};
  for (int s = 0; s < 4; s++) {
    float *x = Numbers(lengths[s], 1), *y = Numbers(lengths[s], 2);
    printf("%.9e\n", Dot(lengths[s], x, y));
    free(x), free(y);
  }
  return 0;
}
