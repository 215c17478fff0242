// tunectl online with the real tune-extract, tune-generate and compilers; what it builds runs without a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/exchange/application_wisdom.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/subprocess.h"
#include "tests/client/testing/tunectl_test.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr char kAnswer[] = R"(#include <stdio.h>
#include <stdlib.h>

static void double_all(int n, int x[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) x[i] = 2 * x[i];
#pragma endscop
}

int main(int argc, char** argv) {
  int x[64], sum = 0;
  const int n = argc > 1 ? atoi(argv[1]) : 64;
  for (int i = 0; i < n; i++) x[i] = i;
  double_all(n, x);
  for (int i = 0; i < n; i++) sum += x[i];
  printf("sum %d, wisdom in %s\n", sum, getenv("TUNE_WISDOM_FILE"));
  return argc > 2 ? atoi(argv[2]) : 0;
}
)";

class OnlineVerbTest : public TunectlTest {
 protected:
  void SetUp() override {
    TunectlTest::SetUp();
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
    ASSERT_TRUE(WriteFile("answer.c", kAnswer).ok());
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    unsetenv("TUNE_LIBEXEC");
  }

  std::filesystem::path before_;
};

TEST_F(OnlineVerbTest, BuildsAProgramThatRunsAnywhere) {
  if (!FindNvcc().ok()) GTEST_SKIP() << "no nvcc";
  ASSERT_EQ(Tunectl({"online", "answer.c", "--arch", "sm_90", "--wisdom", "a.wisdom"}), 0) << err();
  EXPECT_THAT(out(), AllOf(HasSubstr("Built answer.tuned, which tunes double_all while it runs"),
                           HasSubstr("nvcc -O3 -arch=sm_90 -c"), HasSubstr("-ltune"),
                           HasSubstr("Run it with\n  TUNE_WISDOM_FILE=a.wisdom ./answer.tuned\n")));
  const auto run = RunSubprocess({"./answer.tuned", "50"}, {});
  ASSERT_TRUE(run.ok() && run->ok()) << run->standard_error;
  EXPECT_THAT(run->standard_output, HasSubstr("sum 2450,"));
  // Run, with what it learnt sent to the server; what the program says is not in the JSON.
  ASSERT_TRUE(AddLearntResults("a.wisdom", {{"double_all", "some GPU", {50}, 1e-3, {}}}).ok());
  v1::ImportStudiesResponse response;
  response.add_studies();
  server_.SetImported(response);
  ASSERT_EQ(Tunectl({"online", "answer.c", "--arch", "sm_90", "--wisdom", "a.wisdom", "--run", "--send",
                     "--arg", "40", "--json"}),
            0)
      << err();
  const Json json = OutAsJson();
  EXPECT_EQ(json["program"], "answer.tuned");
  EXPECT_EQ(json["exit_status"], 0);
  EXPECT_EQ(json["new"], 1);
  EXPECT_EQ(json["tries"], 0) << "there is no GPU";
  ASSERT_EQ(server_.imports().size(), 1u);
  EXPECT_EQ(server_.imports()[0].first, "a.wisdom");
  EXPECT_EQ(Tunectl({"online", "answer.c", "--arch", "sm_90", "--run", "--arg", "40", "--arg", "7"}), 1);
  EXPECT_THAT(err(), HasSubstr("./answer.tuned ended with status 7"));
}

// The files are written all the same, with the commands for where there is a compiler.
TEST_F(OnlineVerbTest, WithoutNvccSaysWhereToBuild) {
  EXPECT_EQ(Tunectl({"online", "answer.c", "--nvcc", "/nowhere/nvcc"}), 1);
  EXPECT_THAT(err(), AllOf(HasSubstr("CUDA files need nvcc: --nvcc /nowhere/nvcc"),
                           HasSubstr("Wrote answer.tuned.c and answer.tuned.cu"), HasSubstr("\n  nvcc -O3"),
                           HasSubstr("\n  cc -O3")));
  EXPECT_TRUE(std::filesystem::exists("answer.tuned.cu"));
}

TEST_F(OnlineVerbTest, CpuAndGpuMayShareTheLoop) {
  EXPECT_EQ(Tunectl({"online", "answer.c", "--target", "cpu+cuda", "--nvcc", "/nowhere/nvcc"}), 1);
  EXPECT_THAT(err(), ContainsRegex("\n  cc -O3 .*-fopenmp .*-ltune"));
  EXPECT_THAT(ReadFile("answer.tuned.c").value_or(""),
              AllOf(HasSubstr("tune_part_double_all("), HasSubstr("tune_original_double_all(")));
}

TEST_F(OnlineVerbTest, ACompilerThatFailsIsTold) {
  ASSERT_TRUE(WriteFile("nvcc", "#!/bin/sh\necho \"no room for $*\" >&2\nexit 3\n").ok());
  std::filesystem::permissions("nvcc", std::filesystem::perms::owner_all);
  EXPECT_EQ(Tunectl({"online", "answer.c", "--nvcc", "./nvcc"}), 1);
  EXPECT_THAT(err(), AllOf(ContainsRegex("nvcc -O3 .* exited with status 3"), HasSubstr("no room for -O3")));
  EXPECT_FALSE(std::filesystem::exists("answer.tuned"));
}

TEST_F(OnlineVerbTest, WithoutLibtuneNothingIsWritten) {
  EXPECT_EQ(Tunectl({"online", "answer.c", "--libtune", "/nowhere"}), 1);
  EXPECT_THAT(err(), AllOf(HasSubstr("--libtune /nowhere"), HasSubstr("--component libtune")));
  EXPECT_FALSE(std::filesystem::exists("answer.tuned.c"));
  EXPECT_EQ(Tunectl({"online", "answer.c", "--send"}), 2);
}

}  // namespace
}  // namespace tune
