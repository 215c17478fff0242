// Files in which sizes are arguments, at sizes at which the sums of products are split among blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tuned_builds/case_files.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// Products, and products with a triangle of places, beside what is done before and after. LAST is a word of
// the text that the code is made of, too. One product is an array that the region declares.
constexpr char kSplitSums[] = R"(#include <stdio.h>
#include <stdlib.h>
static float *Numbers(int count, int seed) {
  float *numbers = malloc((count + 1) * sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = (i * 7 + seed) % 23 - 11;
  return numbers;
}
static void Print(int count, float *numbers) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += (i % 13 + 1) * numbers[i];
  printf("%.9e\n", sum);
}
void gemm(int ni, int nj, int nk, float alpha, float C[restrict ni][nj + 3], float A[restrict ni][nk], float B[restrict nk][nj]) {
#pragma scop
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++) C[i][j] *= 0.5f;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++) C[i][j] += alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}
void syrk(int n, int LAST, float C[restrict n][n], float A[restrict n][LAST]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[i][j] *= 0.5f;
    for (int k = 0; k < LAST; k++)
      for (int j = 0; j <= i; j++) C[i][j] += A[i][k] * A[j][k];
  }
#pragma endscop
}
void into_own(int ni, int nj, int nk, float C[restrict ni][nj], float A[restrict ni][nk], float B[restrict nk][nj]) {
#pragma scop
  float own[ni][nj];
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      own[i][j] = 0;
      for (int k = 0; k < nk; k++) own[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) C[i][j] += 2 * own[i][j];
#pragma endscop
}
static void Gemm(int ni, int nj, int nk) {
  float *C = Numbers(ni * (nj + 3), 1), *A = Numbers(ni * nk, 2), *B = Numbers(nk * nj, 3);
  gemm(ni, nj, nk, 2, (float(*)[nj + 3])C, (float(*)[nk])A, (float(*)[nj])B);
  Print(ni * (nj + 3), C);
}
static void Syrk(int n, int m) {
  float *C = Numbers(n * n, 1), *A = Numbers(n * m, 2);
  syrk(n, m, (float(*)[n])C, (float(*)[m])A);
  Print(n * n, C);
}
static void IntoOwn(int ni, int nj, int nk) {
  float *C = Numbers(ni * nj, 1), *A = Numbers(ni * nk, 2), *B = Numbers(nk * nj, 3);
  into_own(ni, nj, nk, (float(*)[nj])C, (float(*)[nk])A, (float(*)[nj])B);
  Print(ni * nj, C);
}
int main(void) {
  Gemm(261, 259, 769);
  Gemm(256, 260, 544);
  Gemm(261, 259, 511);
  Gemm(64, 64, 600);
  Gemm(261, 259, 3);
  Syrk(371, 640);
  Syrk(371, 400);
  IntoOwn(261, 259, 769);
  return 0;
}
)";

// Calls that split, and others: of too few terms, too few places, below the sizes that the code is for.
// Arrays are kept from call to call, the largest come first; partial sums are memory for a call.
class SplitSums : public testing::CaseFiles {};
TEST_F(SplitSums, AreThoseOfTheOriginal) {
  const std::string source = Path("sums.c");
  ASSERT_TRUE(WriteFile(source, kSplitSums).ok());
  further_ = {"--arch", "sm_90"};
  Check(source, {}, /*runs=*/true, {testing::kMachines[0]});
  constexpr int kArrays = 3 + 2 + 4, kSplitCalls = 3 + 1;
  EXPECT_THAT(Counts(testing::kMachines[0]),
              HasSubstr(absl::StrCat("allocations ", kArrays + kSplitCalls, "\n")));
}

}  // namespace
}  // namespace tune
