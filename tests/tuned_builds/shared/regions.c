/* Regions that CPU and GPU share. TUNE_PARTS_OF_TEST has values of TUNE_PARTS, with each of which all regions run at several
   sizes; a line tells of all memory afterwards, with what lies around arrays. Whole numbers: sums are exact in any order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void gemm(int n, int m, int k, double C[restrict n][m], double A[restrict n][k], double B[restrict k][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) C[i][j] *= 2;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) C[i][j] += A[i][l] * B[l][j];
  }
#pragma endscop
}

static void mvt(size_t n, double x1[restrict n], double x2[restrict n], double y1[restrict n], double y2[restrict n],
                double A[restrict n][n]) {
#pragma scop
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) x1[i] += A[i][j] * y1[j];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) x2[i] += A[j][i] * y2[j];
#pragma endscop
}

static void transpose(int n, int m, double a[restrict n][m], double c[restrict m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = a[i][j];
#pragma endscop
}

static void jacobi(int steps, int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int t = 0; t < steps; t++) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) B[i][j] = A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j];
#pragma endscop
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j] / 1024;
  }
}

static void strides(int n, int m, float x[restrict 2 * n][m], int y[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i += 3)
    for (int j = 1; j < m; j += 2) x[2 * i][j] = 2 * x[2 * i][j] + y[n - 1 - i];
#pragma endscop
}

static void backwards(int n, int m, double x[restrict n], double A[restrict n][m], double alpha) {
#pragma scop
  for (int i = n - 1; i >= 0; i--) {
    double s = alpha;
    for (int j = 0; j < m; j++) s += A[i][j];
    if (i < 5) x[i] = s;
  }
#pragma endscop
}

static void triangle(int n, int m, double C[restrict n][n], double A[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[i][j] *= 2;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) C[i][j] += A[i][k] * A[j][k];
  }
#pragma endscop
}

static void flat(int n, int m, double *restrict c, const double *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[i * m + j] = 3 * a[i * m + j] + a[j] + n * i;
#pragma endscop
}

struct point { double x, y[2], z; };
static void points(int n, struct point *restrict p, const struct point *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++) p[i].y[1] = 2 * p[i].x + q[n - 1 - i].y[0];
#pragma endscop
}

static void colours(int n, int m, double picture[restrict n][3 * m], double grey[restrict n][m]) {
#pragma scop
  for (int c = 2; c >= 0; c--)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) picture[i][3 * j + c] += (c + 1) * grey[i][j];
#pragma endscop
}

static void columns(int n, int m, double a[restrict n][2 * m + 1], double b[restrict m]) {
#pragma scop
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) a[i][2 * j + 1] = a[i][2 * j] + b[j];
#pragma endscop
}

static void members(int n, float x[restrict 3 * n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[3 * i] = 2 * x[3 * i + 2];
    x[3 * i + 1] += i;
  }
#pragma endscop
}

static void symmetric(int n, double C[restrict n][n], double A[restrict n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      C[i][j] = A[i][j];
      C[j][i] = A[i][j];
    }
#pragma endscop
}

enum { kCount = 2000, kMargin = 16, kBlocks = 3 };
static double memory[kBlocks][kCount];

static double *Block(int block) { return memory[block] + kMargin; }

static void Fill(void) {
  for (int block = 0; block < kBlocks; block++)
    for (int i = 0; i < kCount; i++) memory[block][i] = (i * 7 + block * 5) % 23 - 9;
}

static void Tell(const char *name) {
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < sizeof memory; i++) hash = (hash ^ ((unsigned char *)memory)[i]) * 1099511628211ull;
  printf(" %s %016llx", name, hash);
}

static void RunAll(int n, int m) {
  Fill();
  gemm(n, m, 6, (void *)Block(0), (void *)Block(1), (void *)Block(2));
  Tell("gemm");
  Fill();
  mvt(n, Block(0), Block(0) + 100, Block(1), Block(1) + 100, (void *)Block(2));
  Tell("mvt");
  Fill();
  transpose(n, m, (void *)Block(0), (void *)Block(1));
  Tell("transpose");
  Fill();
  jacobi(2, n, (void *)Block(0), (void *)Block(1));
  Tell("jacobi");
  Fill();
  strides(n, m, (void *)Block(0), (void *)Block(1));
  Tell("strides");
  Fill();
  backwards(n, m, Block(0), (void *)Block(1), 3);
  Tell("backwards");
  Fill();
  triangle(n, m, (void *)Block(0), (void *)Block(1));
  Tell("triangle");
  Fill();
  flat(n, m, Block(0), Block(1));
  Tell("flat");
  Fill();
  points(n, (void *)Block(0), (void *)Block(1));
  Tell("points");
  Fill();
  colours(n, m, (void *)Block(0), (void *)Block(1));
  Tell("colours");
  Fill();
  columns(n, m, (void *)Block(0), Block(1));
  Tell("columns");
  Fill();
  members(n, (void *)Block(0));
  Tell("members");
  Fill();
  symmetric(n, (void *)Block(0), (void *)Block(1));
  Tell("symmetric");
}

int main(void) {
  char splits[4000];
  snprintf(splits, sizeof splits, "%s", getenv("TUNE_PARTS_OF_TEST"));
  for (char *split = strtok(splits, " "); split != 0; split = strtok(0, " ")) {
    setenv("TUNE_PARTS", split, 1);
    printf("%s", split);
    for (int n = 3; n <= 17; n += 7) RunAll(n, 4 + n % 4);
    printf("\n");
  }
  return 0;
}
