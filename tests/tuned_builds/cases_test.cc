// Files in which sizes are arguments (`tunectl generate --cases`): at sizes that nobody named when they were
// made, and on devices that have more or less, they print what the original prints. GPUs are simulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/base/random.h"
#include "tests/common/testing/programs.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kCasePrograms[] = TUNE_SOURCE_DIR "/tests/tuned_builds/programs";
// Threads, registers and bytes of shared memory of a block, multiprocessors: an H200; one for which all
// blocks are enough, so that threads run several points; with hardly any shared memory; with few threads and
// registers.
const char* const kMachines[] = {"1024,65536,49152,132", "1024,65536,49152,0", "1024,65536,400,0",
                                 "64,900,49152,0"};

std::string CallProgram(const std::vector<std::string>& command, bool* ok) {
  const auto result = RunSubprocess(command, {});
  *ok = result.ok() && result->ok();
  return result.ok() ? result->standard_output + result->standard_error : result.status().ToString();
}

// Numbers agree to eight digits.
bool AgreesWith(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  std::string word_a, word_b;
  while (a >> word_a) {
    if (!(b >> word_b)) return false;
    const double value = std::strtod(word_a.c_str(), nullptr), other = std::strtod(word_b.c_str(), nullptr);
    if (word_a != word_b && !(std::abs(value - other) <= 1e-8 * std::max(1.0, std::abs(value)))) return false;
  }
  return !(b >> word_b);
}

class CaseFiles : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  std::vector<std::string> Compile(const std::vector<std::string>& flags,
                                   const std::vector<std::string>& words) const {
    std::vector<std::string> command = {"cc", "-O1", "-w", "-ffp-contract=off", "-I", kCasePrograms};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), words.begin(), words.end());
    command.push_back("-lm");
    return command;
  }

  // In the CUDA files.
  void Replace(const std::string& text, const std::string& other) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() != ".cu") continue;
      const std::string content = ReadFile(entry.path()).value_or("");
      EXPECT_THAT(content, HasSubstr(text));
      EXPECT_TRUE(WriteFile(entry.path(), absl::StrReplaceAll(content, {{text, other}})).ok());
    }
  }

  // The program by cases on each machine, against the original; `runs`: its regions are to run on the device.
  // `change` changes the CUDA files.
  void Check(
      const std::string& source, const std::vector<std::string>& flags, bool runs = true,
      const std::vector<std::string>& machines = {std::begin(kMachines), std::end(kMachines)},
      const std::function<void()>& change = [] {}) {
    bool ok = false;
    std::vector<std::string> generate = {TUNE_BINARY_DIR "/bin/tunectl",
                                         "generate",
                                         source,
                                         "--cases",
                                         "--force",
                                         "-I",
                                         kCasePrograms,
                                         "-o",
                                         Path("out.c")};
    for (const std::string& flag : flags) {
      if (absl::StartsWith(flag, "-D")) generate.push_back(flag);
    }
    std::string log = CallProgram(generate, &ok);
    ASSERT_TRUE(ok) << log;
    change();
    log = CallProgram(Compile(flags, {source, "-o", Path("original")}), &ok);
    ASSERT_TRUE(ok) << log;
    const std::string expected = CallProgram({Path("original")}, &ok);
    ASSERT_TRUE(ok) << expected;
    const std::string object = Path("out.so");
    log = CallProgram(Compile(flags, {Path("out.c"), "-fPIC", "-shared", "-o", object}), &ok);
    ASSERT_TRUE(ok) << log;
    for (const std::string& machine : machines) {
      SCOPED_TRACE(machine);
      std::vector<std::string> command = {"env", absl::StrCat("TUNE_SIMULATED_MACHINE=", machine),
                                          TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device"};
      for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        if (entry.path().extension() == ".cu") command.push_back(entry.path());
      }
      command.push_back(object);
      log = CallProgram(command, &ok);
      EXPECT_THAT(log, HasSubstr(object + " 0\n")) << ReadFile(object + ".err").value_or("");
      EXPECT_TRUE(AgreesWith(expected, ReadFile(object + ".out").value_or("")))
          << ReadFile(object + ".out").value_or("") << ReadFile(object + ".err").value_or("") << expected;
      if (runs) {
        EXPECT_THAT(ReadFile(object + ".counts").value_or("launches 0\n"), Not(HasSubstr("\nlaunches 0\n")));
      }
    }
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

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

class SmallPrograms : public CaseFiles, public ::testing::WithParamInterface<std::string> {};
TEST_P(SmallPrograms, PrintWhatTheOriginalPrints) {
  if (GetParam() == "local_array") GTEST_SKIP() << "its region declares an array, and is refused";
  Check(absl::StrCat(kCasePrograms, "/", GetParam(), ".c"), {}, /*runs=*/false, {kMachines[1], kMachines[2]});
}
INSTANTIATE_TEST_SUITE_P(CaseFiles, SmallPrograms, ::testing::ValuesIn(testing::NamesOfCFiles(kCasePrograms)),
                         CaseTestName);

// Kernels that were compiled to too many registers for larger blocks, and devices that fail: the same
// results.
TEST_F(CaseFiles, WhatDoesNotFitOrFailsIsLeftOut) {
  const std::string source = testing::ProgramPath("gemm");
  Check(source, testing::OddSizes());
  const std::string object = Path("out.so"), expected = ReadFile(object + ".out").value_or("");
  for (const char* const threads : {"32", "0"}) {
    bool ok = false;
    CallProgram({"env", absl::StrCat("TUNE_SIMULATED_KERNEL_THREADS=", threads),
                 TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device", Path("out.cu"), object},
                &ok);
    EXPECT_EQ(ReadFile(object + ".out").value_or(""), expected) << threads;
    const std::string counts = ReadFile(object + ".counts").value_or("");
    EXPECT_EQ(absl::StrContains(counts, "\nlaunches 0\n"), std::string(threads) == "0") << counts;
  }
  for (const char* const call : {"-1", "1", "4", "6", "9"}) {
    bool ok = false;
    const std::string log = CallProgram({TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device",
                                         "--fail-from", call, Path("out.cu"), object},
                                        &ok);
    EXPECT_THAT(log, HasSubstr(object + " 0\n")) << call;
    EXPECT_TRUE(AgreesWith(expected, ReadFile(object + ".out").value_or(""))) << call;
    EXPECT_THAT(ReadFile(object + ".err").value_or(""),
                HasSubstr("its original code runs instead of the tuned one"));
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
    jacobi(3, n, (double(*)[n])d, (double(*)[n])e); Print(n * n, d); Print(n * n, e);
    mvt(n, x, y, u, v, (double(*)[n])d); Print(n, x); Print(n, y);
    double *t = Numbers(n * m, 10);
    transpose(n, m, (double(*)[m])a, (double(*)[n])t); Print(n * m, t);
    free(a), free(b), free(c), free(d), free(e), free(x), free(y), free(u), free(v), free(t);
  }
  return 0;
}
)";

TEST_F(CaseFiles, AreRightAtFiftySizes) {
  Random random(24);
  std::string sizes = "{1, 2, 3}, {3, 9, 4}";
  const auto draw = [&] { return 4 + random.Below(37); };
  for (int i = 0; i < 48; ++i) absl::StrAppend(&sizes, ", {", draw(), ", ", draw(), ", ", draw(), "}");
  ASSERT_TRUE(WriteFile(Path("many.c"), absl::StrReplaceAll(kManySizes, {{"SIZES", sizes}})).ok());
  Check(Path("many.c"), {});
}

// More blocks along y than a launch may have, of a device that allows three.
TEST_F(CaseFiles, LaunchesWithTooManyBlocksAreSplit) {
  const std::string sizes = "{40, 9, 7}, {5, 33, 6}, {67, 4, 30}";
  ASSERT_TRUE(WriteFile(Path("many.c"), absl::StrReplaceAll(kManySizes, {{"SIZES", sizes}})).ok());
  Check(Path("many.c"), {}, /*runs=*/true, {kMachines[0], kMachines[3]},
        [this] { Replace("kMostBlocks = 65535 }", "kMostBlocks = 3 }"); });
  const std::string split = ReadFile(Path("out.so.counts")).value_or("");
  Check(Path("many.c"), {}, /*runs=*/true, {kMachines[0], kMachines[3]});
  EXPECT_NE(ReadFile(Path("out.so.counts")).value_or(""), split);
}

}  // namespace
}  // namespace tune
