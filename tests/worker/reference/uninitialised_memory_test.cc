#include "worker/reference/uninitialised_memory.h"

#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"

namespace tune {
namespace {

class UninitialisedMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto compiler = HostCompiler::Make(folder_->path() + "/cache");
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
  }

  // Of A[index], where main declares and fills A by `allocation` and leaves A[4] as it is.
  bool Found(const std::string& allocation, int64_t index) {
    const v1::StudySetup setup =
        ScaleSetup(absl::StrReplaceAll(kScaleProgram, {{"*A = malloc(n * sizeof *A)", allocation},
                                                       {"A[i] = i,", "A[i] = i == 4 ? A[4] : i,"}}));
    const auto found =
        IsUninitialised(setup, {compiler_.get(), nullptr, nullptr}, {"A", index, sizeof(double)});
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() && *found;
  }

  absl::StatusOr<TemporaryFolder> folder_ = TemporaryFolder::Make();
  std::unique_ptr<HostCompiler> compiler_;
};

TEST_F(UninitialisedMemoryTest, OfAllocations) {
  EXPECT_TRUE(Found("*A = malloc(n * sizeof *A)", 4));
  EXPECT_FALSE(Found("*A = malloc(n * sizeof *A)", 5));
  EXPECT_FALSE(Found("*A = calloc(n, sizeof *A)", 4));
}

TEST_F(UninitialisedMemoryTest, OfMemoryThatWasFreed) {
  EXPECT_TRUE(Found("*old = calloc(n, sizeof *old), *A = (free(old), malloc(n * sizeof *A))", 4));
}

TEST_F(UninitialisedMemoryTest, OfLocalArrays) {
  EXPECT_TRUE(Found("A[200]", 4));
  EXPECT_FALSE(Found("A[200]", 5));
  EXPECT_FALSE(Found("A[200] = {0}", 4));
}

TEST_F(UninitialisedMemoryTest, NotOfProgramsThatFail) {
  EXPECT_FALSE(Found("*A = (exit(1), NULL)", 4));
  EXPECT_FALSE(Found("*A = there_is_no_such_function_here()", 4));
}

}  // namespace
}  // namespace tune
