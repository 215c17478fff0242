// Files in which sizes are arguments (`tunectl generate --cases`): at sizes that nobody named when they were
// made, and on devices that have more or less, they print what the original prints. GPUs are simulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/base/random.h"
#include "tests/common/testing/programs.h"
#include "tests/tuned_builds/case_files.h"
#include "tests/tuned_builds/tuned_program.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using testing::AgreesWith;
using testing::CaseFiles;
using testing::kCasePrograms;
using testing::kMachines;

class ThirtyPrograms : public CaseFiles, public ::testing::WithParamInterface<std::string> {};
TEST_P(ThirtyPrograms, PrintWhatTheOriginalPrints) {
  std::vector<std::string> sizes = testing::OddSizes();
  Check(testing::ProgramPath(GetParam()), sizes);
}
std::string CaseTestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(CaseFiles, ThirtyPrograms, ::testing::ValuesIn(testing::ProgramNames()),
                         CaseTestName);

// With kernels that were mapped for the device, for large sizes and for small ones.
class ProgramsOfDevices : public CaseFiles, public ::testing::WithParamInterface<std::string> {};
TEST_P(ProgramsOfDevices, PrintWhatTheOriginalPrints) {
  further_ = {"--arch", "sm_90"};
  Check(GetParam(), testing::OddSizes(), /*runs=*/true, {kMachines[0], kMachines[1]});
}
std::vector<std::string> SomePrograms() {
  std::vector<std::string> paths;
  for (const std::string& name : testing::EachOf(3, testing::ProgramNames()))
    paths.push_back(testing::ProgramPath(name));
  return paths;
}
INSTANTIATE_TEST_SUITE_P(CaseFiles, ProgramsOfDevices, ::testing::ValuesIn(SomePrograms()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           std::string name = std::filesystem::path(info.param).stem();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class SmallPrograms : public CaseFiles, public ::testing::WithParamInterface<std::string> {};
TEST_P(SmallPrograms, PrintWhatTheOriginalPrints) {
  if (absl::StartsWith(GetParam(), "indirect_") || GetParam() == "packed_triangles")
    GTEST_SKIP() << "data decide about elements: refused";
  const testing::TunedProgram program = testing::ReadProgram(GetParam());
  if (program.host_only) GTEST_SKIP() << "it has no code for GPUs";
  if (program.given_sizes) GTEST_SKIP() << "it has no code for all sizes";
  further_ = program.options;
  Check(absl::StrCat(kCasePrograms, "/", GetParam(), ".c"), {}, /*runs=*/false, {kMachines[1], kMachines[2]});
}
INSTANTIATE_TEST_SUITE_P(CaseFiles, SmallPrograms,
                         ::testing::ValuesIn(testing::EachOf(4, testing::NamesOfCFiles(kCasePrograms))),
                         CaseTestName);

TEST_F(CaseFiles, VariablesOfTheRegionHaveCopies) {
  further_ = {"--arch", "sm_90"};
  Check(absl::StrCat(kCasePrograms, "/local_sums.c"), {});
  for (const char* const machine : kMachines)
    EXPECT_THAT(Error(machine), Not(HasSubstr("its original code runs"))) << machine;
}

// Kernels that were compiled to too many registers for larger blocks, and devices that fail: the same
// results.
TEST_F(CaseFiles, WhatDoesNotFitOrFailsIsLeftOut) {
  Check(testing::ProgramPath("gemm"), testing::OddSizes());
  if (HasFatalFailure()) return;
  const std::string expected = Output(kMachines[3]);
  RunEach("--kernel-threads", {"32", "0"});
  for (const char* const threads : {"32", "0"}) {
    EXPECT_EQ(Output(threads), expected) << threads;
    EXPECT_EQ(Launched(threads), std::string(threads) == "32") << Counts(threads);
  }
  const std::vector<std::string> calls = {"-1", "1", "4", "6", "9"};
  RunEach("--fail-from", calls);
  for (const std::string& call : calls) {
    EXPECT_TRUE(AgreesWith(expected, Output(call))) << call;
    EXPECT_THAT(Error(call), HasSubstr("its original code runs instead of the tuned one")) << call;
  }
}

// One file, and calls with many sizes: those below what the code is made for run the original.
constexpr char kManySizes[] = R"(#include <stdio.h>
#include <stdlib.h>
static double *Numbers(int count, int seed) {
  double *numbers = malloc((count + 1) * sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = (i * 7 + seed) % 23 + 1;
  return numbers;
}
static void Print(int count, double *numbers) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += (i % 13 + 1) * numbers[i];
  printf("%.12e\n", sum);
}
void gemm(int ni, int nj, int nk, double alpha, double C[restrict ni][nj], double A[restrict ni][nk], double B[restrict nk][nj]) {
#pragma scop
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++) C[i][j] *= 0.5;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++) C[i][j] += alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}
void syrk(int n, int m, double C[restrict n][n], double A[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[i][j] *= 0.5;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) C[i][j] += A[i][k] * A[j][k];
  }
#pragma endscop
}
void jacobi(int steps, int n, double A[restrict n][n], double B[restrict n][n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
#pragma endscop
}
void mvt(int n, double x[restrict n], double y[restrict n], double u[restrict n], double v[restrict n], double A[restrict n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] = x[i] + A[i][j] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i] = y[i] + A[j][i] * v[j];
#pragma endscop
}
void transpose(int n, int m, double a[restrict n][m], double c[restrict m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = a[i][j];
#pragma endscop
}
int main(void) {
  static const int sizes[][3] = {SIZES};
  for (int s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const int n = sizes[s][0], m = sizes[s][1], k = sizes[s][2];
    double *a = Numbers(n * m, 1), *b = Numbers(n * k, 2), *c = Numbers(k * m, 3), *d = Numbers(n * n, 4),
           *e = Numbers(n * n, 5), *x = Numbers(n, 6), *y = Numbers(n, 7), *u = Numbers(n, 8), *v = Numbers(n, 9);
    gemm(n, m, k, 1.5, (double(*)[m])a, (double(*)[k])b, (double(*)[m])c); Print(n * m, a);
    syrk(n, k, (double(*)[n])d, (double(*)[k])b); Print(n * n, d);
    jacobi(5, n, (double(*)[n])d, (double(*)[n])e); Print(n * n, d); Print(n * n, e);
    mvt(n, x, y, u, v, (double(*)[n])d); Print(n, x); Print(n, y);
    double *t = Numbers(n * m, 10);
    transpose(n, m, (double(*)[m])a, (double(*)[n])t); Print(n * m, t);
    free(a), free(b), free(c), free(d), free(e), free(x), free(y), free(u), free(v), free(t);
  }
  return 0;
}
)";

TEST_F(CaseFiles, CopyBackNoElementThatWasNotCopiedIn) {
  Check(absl::StrCat(kCasePrograms, "/uneven_writes.c"), {});
}

TEST_F(CaseFiles, AreRightAtFiftySizes) {
  Random random(24);
  std::string sizes = "{1, 2, 3}, {3, 9, 4}";
  const auto draw = [&] { return 4 + random.Below(37); };
  for (int i = 0; i < 48; ++i) absl::StrAppend(&sizes, ", {", draw(), ", ", draw(), ", ", draw(), "}");
  ASSERT_TRUE(WriteFile(Path("many.c"), absl::StrReplaceAll(kManySizes, {{"SIZES", sizes}})).ok());
  Check(Path("many.c"), {});
}

// Kernels that were mapped for the device run at all sizes but the smallest: on one for which any number of
// blocks is enough those for the largest sizes, on the other one those for small ones.
TEST_F(CaseFiles, ProgramsOfTheDeviceAreRightAtFiftySizes) {
  Random random(25);
  std::string sizes = "{1, 2, 3}, {3, 9, 4}";
  const auto draw = [&] { return 4 + random.Below(87); };
  for (int i = 0; i < 48; ++i) absl::StrAppend(&sizes, ", {", draw(), ", ", draw(), ", ", draw(), "}");
  ASSERT_TRUE(WriteFile(Path("many.c"), absl::StrReplaceAll(kManySizes, {{"SIZES", sizes}})).ok());
  further_ = {"--arch", "sm_90"};
  Build(Path("many.c"), {});
  if (HasFatalFailure()) return;
  for (const std::string& file : DeviceFiles()) {
    const std::string text = ReadFile(file).value_or("");
    constexpr char kLaunched[] = "  cudaError_t tune_error = cudaSuccess;\n";  // of a program
    constexpr char kTiled[] = "  *tune_result = cudaSuccess;\n";               // or of its tiles
    constexpr char kSays[] = "printf(\"mapped\\n\");\n";
    EXPECT_THAT(text, HasSubstr(kLaunched)) << file;
    ASSERT_TRUE(WriteFile(file, absl::StrReplaceAll(text, {{kLaunched, absl::StrCat(kLaunched, kSays)},
                                                           {kTiled, absl::StrCat(kTiled, kSays)}}))
                    .ok());
  }
  const std::vector<std::string> machines = {kMachines[0], kMachines[1]};
  RunEach("--machine", machines);
  for (const std::string& machine : machines) {
    SCOPED_TRACE(machine);
    std::vector<std::string> words = absl::StrSplit(Output(machine), '\n');
    const auto mapped = std::count(words.begin(), words.end(), "mapped");
    EXPECT_EQ(mapped, 5 * 48);
    words.erase(std::remove(words.begin(), words.end(), "mapped"), words.end());
    EXPECT_TRUE(AgreesWith(expected_, absl::StrJoin(words, "\n"))) << Output(machine) << Error(machine);
  }
}

// Stencils of which several steps run in a launch: two copies of a matrix, neighbours on one side alone with
// weights that are only read, and a line.
constexpr char kStencils[] = R"(#include <stdio.h>
#include <stdlib.h>
static double *Numbers(int count, int seed) {
  double *numbers = malloc((count + 1) * sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = (i * 7 + seed) % 23 + 1;
  return numbers;
}
static void Print(int count, double *numbers) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += (i % 113 + 1) * numbers[i];
  printf("%.12e\n", sum);
}
void five(int steps, int n, int m, double a[restrict n][m], double b[restrict n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][1 + j] + b[1 + i][j] + b[i - 1][j]);
  }
#pragma endscop
}
void waves(int steps, int n, int m, double u[restrict n][m], double v[restrict n][m], double w[restrict m][n]) {
#pragma scop
  for (int t = 1; t <= steps; t++) {
    for (int i = 0; i < n - 2; i++)
      for (int j = 2; j < m - 1; j++) v[i][j] = v[i][j] + 0.1 * w[j][i] * (u[i + 2][j] - u[i][j - 1]);
    for (int i = 0; i < n - 2; i++)
      for (int j = 2; j < m - 1; j++) u[i][j] = 0.9 * u[i][j] + 0.1 / (t + 1) * v[i][j];
  }
#pragma endscop
}
void line(int steps, int n, double x[restrict n], double y[restrict n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 3; i < n - 1; i++) y[i] = 0.4 * (x[i - 3] + x[i] + 0.5 * x[i + 1]);
    for (int i = 3; i < n - 1; i++) x[i] = y[i];
  }
#pragma endscop
}
void ends(int steps, int n, int m, double a[restrict n][m], double b[restrict n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        b[i][j] = 0.2 * (a[i][j] + (j > 0 ? a[i][j - 1] : 1.0) + (j < m - 1 ? a[i][j + 1] : 2.0) +
                         (i < n - 1 ? a[i + 1][j] : 3.0) + (i > 0 ? a[i - 1][j] : 4.0));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) a[i][j] = b[i][j];
  }
#pragma endscop
}
void line_ends(int steps, int n, double x[restrict n], double y[restrict n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      y[i] = 0.5 * x[i] + (i > 1 ? 0.25 * x[i - 2] : 0.5) + (i < n - 1 ? 0.25 * x[i + 1] : 1.0);
    for (int i = 0; i < n; i++) x[i] = y[i];
  }
#pragma endscop
}
int main(void) {
  static const int sizes[][3] = {SIZES};
  for (int s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const int n = sizes[s][0], m = sizes[s][1], steps = sizes[s][2];
    double *a = Numbers(n * m, 1), *b = Numbers(n * m, 2), *c = Numbers(n * m, 3);
    five(steps, n, m, (double(*)[m])a, (double(*)[m])b); Print(n * m, a); Print(n * m, b);
    waves(steps, n, m, (double(*)[m])a, (double(*)[m])b, (double(*)[n])c); Print(n * m, a); Print(n * m, b);
    line(steps, n * m, a, b); Print(n * m, a); Print(n * m, b);
    ends(steps, n, m, (double(*)[m])a, (double(*)[m])b); Print(n * m, a); Print(n * m, b);
    line_ends(steps, n * m, a, b); Print(n * m, a); Print(n * m, b);
    free(a), free(b), free(c);
  }
  return 0;
}
)";

TEST_F(CaseFiles, SeveralStepsInALaunchAreRightAtManySizes) {
  Random random(26);
  std::string sizes = "{4, 4, 4}, {30, 62, 20}, {32, 64, 9}, {33, 64, 9}";
  for (int i = 0; i < 12; ++i)
    absl::StrAppend(&sizes, ", {", 4 + random.Below(97), ", ", 4 + random.Below(150), ", ",
                    4 + random.Below(20), "}");
  ASSERT_TRUE(WriteFile(Path("stencils.c"), absl::StrReplaceAll(kStencils, {{"SIZES", sizes}})).ok());
  further_ = {"--arch", "sm_90"};
  Check(Path("stencils.c"), {}, /*runs=*/true, {kMachines[0], kMachines[1], kMachines[3]});
  int tiled = 0;
  for (const std::string& file : DeviceFiles())
    tiled += absl::StrContains(ReadFile(file).value_or(""), "LaunchTiles(") ? 1 : 0;
  EXPECT_EQ(tiled, 5);
}

constexpr char kScaled[] = R"(#include <stdio.h>
static void scale(int n, double x[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) x[i] = 3 * x[i] + 1;
#pragma endscop
}
int main(void) {
  static const int sizes[] = {40, 9, 64};
  for (int s = 0; s < 3; s++) {
    double x[64], sum = 0;
    for (int i = 0; i < 64; i++) x[i] = i;
    scale(sizes[s], x);
    for (int i = 0; i < 64; i++) sum += (i + 1) * x[i];
    printf("%.12e\n", sum);
  }
  return 0;
}
)";

// On the device and at sizes near those that the lab knows of its formats are taken, elsewhere the table's;
// the results are the same.
TEST_F(CaseFiles, FormatsOfTheLabAreTakenNearTheirSizes) {
  ASSERT_TRUE(WriteFile(Path("scale.c"), kScaled).ok());
  constexpr char kFormats[] = R"({"tuned": {"case_formats": 1}, "formats": [
    {"kernel": "k[S0]", "device": "simulated GPU", "parameters": {"n": 40},
     "block": [8], "points": 3, "strip": 5, "source": "s1"},
    {"kernel": "k[S0]", "device": "another GPU", "parameters": {"n": 9},
     "block": [8], "points": 1, "strip": 8, "source": "s2"}]})";
  ASSERT_TRUE(WriteFile(Path("lab.formats"), kFormats).ok());
  further_ = {"--formats", Path("lab.formats")};
  Build(Path("scale.c"), {});
  if (HasFatalFailure()) return;
  // Each choice of a known format says so.
  for (const std::string& file : DeviceFiles()) {
    const std::string text = ReadFile(file).value_or("");
    constexpr char kTaken[] = "format = {known.B[0]";
    ASSERT_TRUE(
        WriteFile(file, absl::StrReplaceAll(
                            text, {{kTaken, absl::StrCat("printf(\"known %lld\\n\", known.s); ", kTaken)}}))
            .ok());
  }
  RunEach("--machine", {kMachines[0]});
  std::vector<std::string> words = absl::StrSplit(Output(kMachines[0]), '\n');
  EXPECT_EQ(std::count(words.begin(), words.end(), "known 3"), 2) << Output(kMachines[0]);  // n = 40 and 64
  EXPECT_EQ(std::count(words.begin(), words.end(), "known 1"), 0);
  words.erase(std::remove(words.begin(), words.end(), "known 3"), words.end());
  EXPECT_TRUE(AgreesWith(expected_, absl::StrJoin(words, "\n"))) << Output(kMachines[0]) << expected_;
}

// More blocks along y than a launch may have, of a device that allows three.
TEST_F(CaseFiles, LaunchesWithTooManyBlocksAreSplit) {
  const std::string sizes = "{40, 9, 7}, {5, 33, 6}, {67, 4, 30}";
  ASSERT_TRUE(WriteFile(Path("many.c"), absl::StrReplaceAll(kManySizes, {{"SIZES", sizes}})).ok());
  const std::vector<std::string> machines = {kMachines[0], kMachines[3]};
  Check(Path("many.c"), {}, /*runs=*/true, machines);
  if (HasFatalFailure()) return;
  const std::string whole = Counts(machines[1]);
  for (const std::string& file : DeviceFiles()) {
    const std::string text = ReadFile(file).value_or("");
    constexpr char kMost[] = "kMostBlocks = 65535 }";
    EXPECT_THAT(text, HasSubstr(kMost));
    ASSERT_TRUE(WriteFile(file, absl::StrReplaceAll(text, {{kMost, "kMostBlocks = 3 }"}})).ok());
  }
  RunOn(machines, /*runs=*/true);
  EXPECT_NE(Counts(machines[1]), whole);
}

}  // namespace
}  // namespace tune
