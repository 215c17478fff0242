// Regions that CPU and GPU share as studies, through the real programs: a simulated GPU, and a simulated
// toolkit (tests/simulated_cudart) with which workers build and run the user's program on it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Whole numbers: sums are exact in any order.
constexpr char kProgram[] = R"(#include <stdio.h>
static void product(int n, int m, double C[restrict n][n], double A[restrict n][m], double B[restrict m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] *= 2;
      for (int k = 0; k < m; k++) C[i][j] += A[i][k] * B[k][j];
    }
#pragma endscop
}
int main(void) {
  enum { n = 23, m = 9 };
  static double A[n][m], B[m][n], C[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) A[i][j] = i + 2 * j, B[j][i] = i - j;
  for (int i = 0; i < n; i++) C[i][i] = 1;
  for (int t = 0; t < 3; t++) product(n, m, C, A, B);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += (i + 1) * C[i][j];
  printf("%.0f\n", sum);
  return 0;
}
)";

constexpr char kSum[] = R"(#include <stdio.h>
int main(void) {
  static double s[1], x[100];
#pragma scop
  for (int i = 0; i < 100; i++) s[0] += x[i];
#pragma endscop
  printf("%g\n", s[0]);
}
)";

// A worker with the simulated GPU and, unless it is "", the toolkit in this folder.
void StartWorkerWith(Installation& installation, const std::string& toolkit) {
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/simulated", 1);
  setenv("TUNE_SANDBOX_READ", absl::StrCat(TUNE_SOURCE_DIR "/tests:", toolkit).c_str(), 1);
  const std::string path = std::getenv("PATH");
  setenv("PATH", absl::StrCat(toolkit, "/bin:", path).c_str(), 1);
  setenv("LD_LIBRARY_PATH", absl::StrCat(toolkit, "/lib64").c_str(), 1);
  installation.StartWorker();
  unsetenv("LD_LIBRARY_PATH");
  setenv("PATH", path.c_str(), 1);
  unsetenv("TUNE_SANDBOX_READ");
  unsetenv("TUNE_LIBEXEC");
}

#ifdef TUNE_SIMULATED_TOOLKIT

TEST(Shared, DivisionsAreSearchedVerifiedAndFetched) {
  Installation installation;
  installation.StartServer();
  StartWorkerWith(installation, TUNE_SIMULATED_TOOLKIT);
  if (::testing::Test::HasFatalFailure()) return;
  const std::string program = installation.Write("product.c", kProgram);
  const std::vector<std::string> ids = installation.Submit(
      {program, "--target", "cpu+cuda", "--evaluations", "5", "--ants", "2", "--confirm", "1"});
  ASSERT_EQ(ids.size(), 1);
  const Json study = installation.WaitForEnd(ids[0], 300);
  ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
  EXPECT_EQ(study.value("target", ""), "cuda");
  EXPECT_EQ(study.value("generator", ""), "cpu+cuda");
  EXPECT_TRUE(study["warnings"].empty()) << study["warnings"];
  EXPECT_EQ(study["outcomes"].value("correct", 0), 5) << study["outcomes"];
  // The GPU alone, the original, the CPU alone and both were tried, and what was written is what was asked
  // for.
  const char* const divisions[] = {"gpu", "original", "cpu", "cpu+gpu"};
  for (int i = 0; i < 4; ++i) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(ids[0], "/", i)});
    EXPECT_EQ(candidate["configuration"][0]["option"], divisions[i]) << candidate;
  }
  EXPECT_TRUE(study["confirmation"].is_object()) << study;
  const SubprocessResult shown = installation.Tunectl({"show", ids[0]});
  EXPECT_THAT(shown.standard_output, HasSubstr("with copies to the device and back"));
  EXPECT_THAT(shown.standard_output, Not(HasSubstr("without copies")));
  // The user's file: its parts are the best ones, and it compiles.
  const std::string tuned = installation.path("tuned.c");
  const SubprocessResult fetched = installation.Tunectl({"fetch", ids[0], "-o", tuned, "--force"});
  ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
  EXPECT_THAT(fetched.standard_error, Not(HasSubstr("Beware")));
  EXPECT_THAT(fetched.standard_output, HasSubstr("-fopenmp"));
  EXPECT_THAT(*ReadFile(tuned), HasSubstr("tune_part_product"));
  EXPECT_THAT(*ReadFile(installation.path("tuned.cu")), HasSubstr("#define product_PARTS \""));
  const auto compiled =
      RunSubprocess({"cc", "-c", "-Wall", "-Werror", "-fopenmp", tuned, "-o", installation.path("tuned.o")});
  EXPECT_TRUE(compiled.ok() && compiled->ok()) << compiled->standard_error;
}

// The same GPU, whose kernels are wrong: its results are not taken.
TEST(Shared, WrongResultsOfTheGpuAreFound) {
  Installation installation;
  installation.StartServer();
  const std::string toolkit = installation.path("toolkit");
  ASSERT_TRUE(RunSubprocess({"cp", "-r", TUNE_SIMULATED_TOOLKIT, toolkit})->ok());
  const std::string nvcc = toolkit + "/bin/nvcc";
  const std::string wrong = "\nkernels=\"$(sed 's/[*]= 2;/*= 3;/' <<< \"$kernels\")\"\n{\n";
  ASSERT_TRUE(WriteFile(nvcc, absl::StrReplaceAll(*ReadFile(nvcc), {{"\n{\n", wrong}})).ok());
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  StartWorkerWith(installation, toolkit);
  if (::testing::Test::HasFatalFailure()) return;
  const std::string program = installation.Write("product.c", kProgram);
  const std::vector<std::string> ids = installation.Submit(
      {program, "--target", "cpu+cuda", "--evaluations", "4", "--ants", "2", "--confirm", "1"});
  ASSERT_EQ(ids.size(), 1);
  const Json study = installation.WaitForEnd(ids[0], 300);
  ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
  EXPECT_EQ(study["outcomes"].value("correct", 0), 2) << study["outcomes"];  // the original, the CPU
  EXPECT_EQ(study["outcomes"].value("correctness", 0), 2)                    // the GPU, both
      << study["outcomes"] << installation.Tunectl({"show", ids[0] + "/0"}).standard_output;
}

#endif

TEST(Shared, WhatCannotBeDividedIsRefusedForTheReasonThatGenerateGives) {
  Installation installation;
  installation.StartServer();
  const std::string program = installation.Write("sum.c", kSum);
  const SubprocessResult generated =
      installation.Tunectl({"generate", program, "--target", "cpu+cuda", "-o", installation.path("out.c")});
  const SubprocessResult submitted = installation.Tunectl({"submit", program, "--target", "cpu+cuda"});
  EXPECT_EQ(submitted.exit_code, 1);
  EXPECT_THAT(submitted.standard_error, HasSubstr("no outermost parallel loop"));
  const size_t reason = generated.standard_error.find("main: ");
  ASSERT_NE(reason, std::string::npos) << generated.standard_error;
  EXPECT_THAT(submitted.standard_error, HasSubstr(generated.standard_error.substr(reason)));
  EXPECT_TRUE(installation.TunectlJson({"ls"}).empty());
}

TEST(Shared, AWorkerWithoutNvccSaysSo) {
  if (RunSubprocess({"sh", "-c", "command -v nvcc || test -e /usr/local/cuda/bin/nvcc"})->ok())
    GTEST_SKIP() << "there is nvcc";
  Installation installation;
  installation.StartServer();
  StartWorkerWith(installation, "/nowhere");
  if (::testing::Test::HasFatalFailure()) return;
  const std::vector<std::string> ids =
      installation.Submit({installation.Write("product.c", kProgram), "--target", "cpu+cuda"});
  ASSERT_EQ(ids.size(), 1);
  const Json study = installation.WaitForEnd(ids[0]);
  EXPECT_EQ(study.value("state", ""), "failed");
  EXPECT_THAT(study.value("failure", ""), HasSubstr("no nvcc"));
}

}  // namespace
}  // namespace tune
