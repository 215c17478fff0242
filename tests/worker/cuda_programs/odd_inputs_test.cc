// Regions that are small, empty, crooked or of other types than floating-point numbers, on the simulated
// device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "tests/worker/cuda_programs/simulation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

std::vector<v1::Scop> Extract(const std::string& text) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/odd.c";
  EXPECT_TRUE(WriteFile(path, text).ok());
  const auto extraction = testing::ExtractFile(path);
  EXPECT_TRUE(extraction.ok()) << extraction.status();
  if (!extraction.ok()) return {};
  return {extraction->scops().begin(), extraction->scops().end()};
}

v1::Scop ExtractOne(const std::string& text) {
  const std::vector<v1::Scop> scops = Extract(text);
  EXPECT_EQ(scops.size(), 1u);
  return scops.empty() ? v1::Scop() : scops[0];
}

constexpr char kCopyAndSum[] = R"(
void f(int n, double A[n + 1], double B[n + 1], double s[1]) {
#pragma scop
  for (int i = 0; i < n; i++) A[i] = 2 * B[i];
  for (int i = 0; i < n; i++) s[0] += A[i];
#pragma endscop
}
)";

TEST(OddInputs, NoIterationAtAll) {
  const v1::Scop scop = ExtractOne(kCopyAndSum);
  const std::map<std::string, int64_t> values = {{"n", 0}};
  const auto space =
      CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options()).value();
  const Candidate candidate = MakeCandidate(*space, testing::MakeReference(scop, values), 0).value();
  EXPECT_TRUE(candidate.program.facts.empty());
  EXPECT_THAT(candidate.program.launches, ::testing::Not(HasSubstr("launch(context")));
}
TEST(OddInputs, OneIteration) { CheckScop(ExtractOne(kCopyAndSum), {{"n", 1}}); }

// Of a subscript that is whole because of the loop's step isl tells a fraction.
TEST(OddInputs, HalvesInLoopsOfStepTwo) {
  CheckScop(ExtractOne(R"(
void f(int n, double A[n], double B[n]) {
#pragma scop
  for (int i = 0; i < n; i += 2) A[i / 2] += B[(i + i) / 2] * (i / 2);
#pragma endscop
}
)"),
            {{"n", 37}});
}

TEST(OddInputs, SomeLoopsNeverRun) {
  const v1::Scop scop = ExtractOne(R"(
void f(int n, int m, double A[n][n], double B[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    B[i] = i;
    for (int j = m; j < n - 30; j++) A[i][j] = B[i] + j;
    for (int j = 5; j < 5; j++) A[i][j] = 0;
  }
#pragma endscop
}
)");
  CheckScop(scop, {{"n", 33}, {"m", 10}});
  CheckScop(scop, {{"n", 33}, {"m", 1}});
}

TEST(OddInputs, DownwardAndByOtherSteps) {
  const v1::Scop scop = ExtractOne(R"(
void f(int n, double A[n][2 * n + 2], double B[n]) {
#pragma scop
  for (int i = n - 1; i >= 0; i -= 2)
    for (int j = n; j > 0; j--) A[i][2 * j + 1] = A[i][2 * j] + B[i];
  for (int i = n - 2; i >= 0; i--) B[i] = B[i] - 0.5 * B[i + 1];
  for (int i = 1; i < n; i += 3) B[i] += A[i][i];
#pragma endscop
}
)");
  CheckScop(scop, {{"n", 37}});
}

TEST(OddInputs, TrianglesAndTrapezoids) {
  const v1::Scop scop = ExtractOne(R"(
void f(int n, int m, double A[n][n + m], double B[n][n], double x[n + m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = i; j < i + m; j++) A[i][j] = x[j - i] + x[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      if (i + 2 * j <= n) B[i][j] = A[i][j + 1] * x[j];
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) B[i][j] = B[j][i];
#pragma endscop
}
)");
  CheckScop(scop, {{"n", 35}, {"m", 9}});
}

// Which of two iterations is first is known of the numbers alone, or of no schedule that isl finds.
TEST(OddInputs, MirroredAndInTwoColours) {
  CheckScop(ExtractOne(R"(
void f(double a[40], double b[40]) {
#pragma scop
  for (int i = 0; i < 40; i++) a[i] = a[39 - i];
  for (int i = 0; i < 40; i++) b[i] = 2 * b[i];
#pragma endscop
}
)"),
            {}, ScheduleLevel::kO1, /*configurations=*/5);
  CheckScop(ExtractOne(R"(
void f(double a[24][24], double b[24]) {
#pragma scop
  for (int i = 1; i < 23; i++)
    for (int j = 1 + i % 2; j < 23; j += 2)
      a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
  for (int i = 1; i < 23; i++)
    for (int j = 2 - i % 2; j < 23; j += 2)
      a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
  for (int t = 0; t < 3; t++) {
    for (int j = 0; j < 24; j++) a[j][0] = a[23 - j][23];
    for (int j = 0; j < 12; j++) b[j] = b[23 - j];
  }
#pragma endscop
}
)"),
            {}, ScheduleLevel::kO1, /*configurations=*/5);
}

// Quotients of iterators that leave nothing over are fractions to isl.
TEST(OddInputs, QuotientsOfIterators) {
  CheckScop(ExtractOne(R"(
void f(int n, double a[n], int b[n], double c[n]) {
#pragma scop
  for (int i = 0; i < n; i += 2) a[i] = i / 2;
  for (int i = 0; i < n; i++) b[i] = i % 2;
  for (int i = n - 1; i > 0; i -= 3) c[i] = c[i] + (i / 3) + (n - 1 - i) / 3;
  for (int i = 0; i < n; i += 2) b[i / 2] = b[i / 2] + i / 2 + i % 3;
#pragma endscop
}
)"),
            {{"n", 37}}, ScheduleLevel::kO1, /*configurations=*/5);
}

TEST(OddInputs, StatementsThatAreSplit) {
  const v1::Scop scop = ExtractOne(R"(
void f(int n, int m, double A[n], long C[n][n]) {
#pragma scop
  for (int i = n - 1; i >= 0; i--) A[i] = 0.5 * A[i] + A[m] + i;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = n - 1; j >= i; j--) C[i][j] = (C[i][j] + C[i][k] + C[k][j] + i - j) % 1000;
#pragma endscop
}
)");
  CheckScop(scop, {{"n", 21}, {"m", 10}});
  CheckScop(scop, {{"n", 9}, {"m", 0}});
}

TEST(OddInputs, IntegersOfEverySize) {
  const v1::Scop scop = ExtractOne(R"(
void f(int n, char c[n], unsigned char u[n], short h[n], int a[n][n], unsigned b[n], long l[n], float x[n],
       int most[1], long sum[1], unsigned bits[1]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    c[i] = c[i] + u[i];
    h[i] = h[i] * 3 - c[i];
    for (int j = 0; j < n; j++) {
      a[i][j] = a[i][j] / 7 + (h[j] << 2) % 5;
      b[i] += a[i][j] & 3;
      l[i] += a[i][j];
    }
    x[i] = l[i] * 0.25f;
  }
  for (int i = 0; i < n; i++) most[0] = most[0] > a[i][i] ? most[0] : a[i][i];
  for (int i = 0; i < n; i++) sum[0] += l[i];
  for (int i = 0; i < n; i++) bits[0] += b[i];
#pragma endscop
}
)");
  CheckScop(scop, {{"n", 33}});
}

TEST(OddInputs, FourDimensions) {
  const v1::Scop scop = ExtractOne(R"(
void f(int n, int m, float A[n][m][n][m], float B[m][n][m][n], float C[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < m; l++) {
          A[i][j][k][l] = B[l][k][j][i] + i;
          C[i][j] += A[i][j][k][l];
        }
#pragma endscop
}
)");
  CheckScop(scop, {{"n", 7}, {"m", 9}});
}

TEST(OddInputs, SeveralRegions) {
  const std::vector<v1::Scop> scops = Extract(R"(
void f(int n, double A[n], double B[n]) {
#pragma scop
  for (int i = 0; i < n; i++) A[i] = B[i] + 1;
#pragma endscop
#pragma scop
  for (int i = 1; i < n; i++) B[i] = A[i - 1] * B[i];
#pragma endscop
}
)");
  ASSERT_EQ(scops.size(), 2u);
  for (const v1::Scop& scop : scops) CheckScop(scop, {{"n", 40}});
}

constexpr char kRows[] = R"(
void f(int n, int m, float A[n][m], float x[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) A[i][j] = x[i] + j;
#pragma endscop
}
)";

// Launches that are large for the device, so that the order of their blocks is asked for.
TEST(OddInputs, SweepsThatTurnRound) {
  const auto extraction = testing::ExtractFile(TUNE_SOURCE_DIR "/tests/worker/codegen/golden/sweeps.c");
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  ASSERT_EQ(extraction->scops_size(), 1);
  const v1::Scop& scop = extraction->scops(0);
  CheckScop(scop, {{"steps", 2}, {"n", 375}}, ScheduleLevel::kO1, /*configurations=*/8);
}

// Sums in order, of few threads, for which others fetch what they add up; below a host loop in one launch,
// too.
TEST(OddInputs, SumsThatKeepTheirOrder) {
  const v1::Scop columns = ExtractOne(R"(
void f(int n, int m, float A[n][m], float q[n], float s[m], float t[1]) {
#pragma scop
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) s[j] += q[i] * A[i][j];
  for (int i = 0; i < n; i++) t[0] -= q[i] * q[i];
#pragma endscop
}
)");
  CheckScop(columns, {{"n", 150}, {"m", 37}}, ScheduleLevel::kO1, /*configurations=*/30, /*exact=*/true);
  const v1::Scop rows = ExtractOne(R"(
void f(int n, double A[n][n], double s[n]) {
#pragma scop
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < k; i++) s[k] += A[k][i] * s[i];
    for (int j = k + 1; j < n; j++) A[j][k] = A[j][k] * s[k];
  }
#pragma endscop
}
)");
  CheckScop(rows, {{"n", 90}}, ScheduleLevel::kO1, /*configurations=*/20, /*exact=*/true);
}

// CUDA has 65,535 blocks along y.
TEST(OddInputs, MoreBlocksThanThereAreAlongY) {
  const v1::Scop scop = ExtractOne(kRows);
  const std::map<std::string, int64_t> values = {{"n", 70000}, {"m", 3}};
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto space =
      CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options()).value();
  testing::SettingChooser chooser(
      {{"k[S0].tile_size_0", "1"}, {"k[S0].tile_size_1", "32"}, {"k[S0].block_size_1", "16"}});
  const CudaPlan plan = space->Walk(chooser).value();
  Candidate candidate;
  candidate.program = GenerateCuda(plan, space->options(), reference).value();
  EXPECT_THAT(candidate.program.launches, HasSubstr("{1 * 70000, 1, 1}"));
  const testing::Memory inputs = testing::MakeInputs(scop, reference, 5);
  const auto simulation = Simulation::Make({candidate});
  ASSERT_TRUE(simulation.ok()) << simulation.status();
  testing::Memory found = inputs;
  const absl::Status run = (*simulation)->Run(0, found);
  ASSERT_TRUE(run.ok()) << run;
  EXPECT_TRUE(
      testing::SameNumbers(found.at("A"), testing::RunSequentially(scop, reference, inputs)->at("A")));
}

// Iterators are as long as they must be.
TEST(OddInputs, MoreElementsThanAnIntCounts) {
  const auto text = [](int64_t n, int64_t m) {
    const v1::Scop scop = ExtractOne(kRows);
    const std::map<std::string, int64_t> values = {{"n", n}, {"m", m}};
    const auto space =
        CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options()).value();
    DefaultChooser chooser;
    const CudaPlan plan = space->Walk(chooser).value();
    return GenerateCuda(plan, space->options(), testing::MakeReference(scop, values)).value().kernels;
  };
  EXPECT_THAT(text(3, 3'000'000'000), HasSubstr("const long long tune_b0"));
  EXPECT_THAT(text(70'000, 70'000), HasSubstr("const int tune_b0"));  // each subscript is an int
}

}  // namespace
}  // namespace tune
