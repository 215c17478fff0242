// Regions that are divided, as C programs.
#pragma once

#include <gtest/gtest.h>

#include "tests/common/testing/programs.h"

namespace tune {

inline constexpr char kDividedPrograms[] = R"(
void gemm(int n, int m, int k, double C[n][m], double A[n][k], double B[k][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) C[i][j] *= 0.5;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) C[i][j] += A[i][l] * B[l][j];
  }
#pragma endscop
}
void mvt(int n, double x1[n], double x2[n], double y1[n], double y2[n], double A[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x1[i] += A[i][j] * y1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x2[i] += A[j][i] * y2[j];
#pragma endscop
}
void transpose(int n, int m, double a[n][m], double c[m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = a[i][j];
#pragma endscop
}
void sweep(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
#pragma endscop
}
void steps(int n, int m, double x[2 * n][m], double y[n]) {
#pragma scop
  for (int i = 0; i < n; i += 3)
    for (int j = 0; j < m; j += 2) x[2 * i][j] = 2 * x[2 * i][j] + y[n - 1 - i];
#pragma endscop
}
void backwards(int n, int m, double x[n], double A[n][m]) {
#pragma scop
  for (int i = n - 1; i >= 0; i--) {
    double s = 0;
    for (int j = 0; j < m; j++) s += A[i][j];
    if (i < 5) x[i] = s;
  }
#pragma endscop
}
void triangle(int n, int m, double C[n][n], double A[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[i][j] *= 2;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) C[i][j] += A[i][k] * A[j][k];
  }
#pragma endscop
}
void ranges(int n, int m, double a[n + m], double b[n]) {
#pragma scop
  for (int i = 2; i < n + m; i++) a[i] = 1;
  for (int i = 0; i < n; i++) b[i] = 3 * b[i];
#pragma endscop
}
void flat(int n, int m, double *restrict c, const double *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[i * m + j] = a[i * m + j] + a[j];
#pragma endscop
}
void colours(int n, int m, double picture[n][3 * m], double grey[n][m]) {
#pragma scop
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) picture[i][3 * j + c] = c * grey[i][j];
#pragma endscop
}
void backwards_colours(int m, double picture[3 * m]) {
#pragma scop
  for (int c = 2; c >= 0; c--)
    for (int j = 0; j < m; j++) picture[3 * j + c] = c;
#pragma endscop
}
void columns(int n, int m, double a[n][2 * m + 1], double b[m]) {
#pragma scop
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) a[i][2 * j + 1] = a[i][2 * j] + b[j];
#pragma endscop
}
void members(int n, double x[3 * n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[3 * i] = 1;
    x[3 * i + 1] = x[3 * i + 2];
  }
#pragma endscop
}
void halves(int n, double x[2 * n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[i] += 1;
    x[i + n] = x[i];
  }
#pragma endscop
}
void symmetric(int n, double C[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      C[i][j] = 1;
      C[j][i] = 1;
    }
#pragma endscop
}
)";

// Those, in this order.
inline constexpr int kDividedProgramCount = 15;

// The regions of a file that holds the text.
inline v1::Extraction ExtractText(const std::string& text) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  EXPECT_TRUE(WriteFile(folder.path() + "/programs.c", text).ok());
  auto extraction = testing::ExtractFile(folder.path() + "/programs.c");
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  return extraction.value_or(v1::Extraction());
}

}  // namespace tune
