#include "worker/build/cubin_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "common/base/file.h"
#include "worker/build/instruction_mix.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kKernel[] = "extern \"C\" __global__ void twice(float *x) { x[threadIdx.x] *= 2.0f; }\n";

// Both compilers, where they are.
class CubinCompilerTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    folder_.emplace(*TemporaryFolder::Make());
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    auto compiler = GetParam() ? CubinCompiler::MakeNvcc(folder_->path() + "/cubins")
                               : CubinCompiler::MakeNvrtc("NVRTC 13.0", folder_->path() + "/cubins");
    unsetenv("TUNE_LIBEXEC");
    if (!compiler.ok()) GTEST_SKIP() << compiler.status().message();
    compiler_ = *std::move(compiler);
    const absl::StatusOr<CompileResult> trial = compiler_->Compile(kKernel, "sm_90", {});
    if (trial.ok() && !trial->ok && !GetParam()) GTEST_SKIP() << "no NVRTC: " << trial->message;
  }
  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<CubinCompiler> compiler_;
};

TEST_P(CubinCompilerTest, MakesACubinAndKeepsIt) {
  const absl::StatusOr<CompileResult> first = compiler_->Compile(kKernel, "sm_90", {});
  ASSERT_TRUE(first.ok() && first->ok) << first->log;
  EXPECT_TRUE(first->cached);  // by the trial
  EXPECT_THAT(*ReadFile(first->binary), HasSubstr("twice"));
  const absl::StatusOr<CompileResult> other = compiler_->Compile(kKernel, "sm_80", {});
  ASSERT_TRUE(other.ok() && other->ok) << other->log;
  EXPECT_FALSE(other->cached);
  EXPECT_NE(other->binary, first->binary);
}

TEST_P(CubinCompilerTest, PtxForAVirtualArchitecture) {
  const absl::StatusOr<CompileResult> ptx = compiler_->Compile(kKernel, "compute_90", {});
  ASSERT_TRUE(ptx.ok() && ptx->ok) << ptx->log;
  const std::vector<InstructionMix> mixes = CountInstructions(*ReadFile(ptx->binary));
  ASSERT_EQ(mixes.size(), 1u);
  EXPECT_EQ(mixes[0].kernel, "twice");
  EXPECT_THAT(PrintInstructionMix(mixes[0]), HasSubstr("global loads 1, global stores 1, branches 1"));
}

TEST_P(CubinCompilerTest, FailureIsAResultWithTheFirstError) {
  const absl::StatusOr<CompileResult> result =
      compiler_->Compile("extern \"C\" __global__ void f() { undeclared(); }\n", "sm_90", {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->ok);
  EXPECT_THAT(result->message, HasSubstr("undeclared"));
  EXPECT_THAT(result->log, HasSubstr("candidate.cu"));
}

TEST(NvrtcTest, AnotherBuildOfTheRunnerCompilesAnew) {
  const TemporaryFolder folder = *TemporaryFolder::Make();
  const std::string runner = folder.path() + "/tune-cuda-runner";
  std::filesystem::copy(TUNE_BINARY_DIR "/tests/scripted/tune-cuda-runner", runner);
  setenv("TUNE_LIBEXEC", folder.path().c_str(), 1);
  const auto compiler = *CubinCompiler::MakeNvrtc("NVRTC 13.0", folder.path() + "/cubins");
  unsetenv("TUNE_LIBEXEC");
  EXPECT_FALSE(compiler->Compile(kKernel, "sm_90", {})->cached);
  EXPECT_TRUE(compiler->Compile(kKernel, "sm_90", {})->cached);
  std::filesystem::last_write_time(runner,
                                   std::filesystem::last_write_time(runner) + std::chrono::seconds(1));
  EXPECT_FALSE(compiler->Compile(kKernel, "sm_90", {})->cached);
}

// Else all its cubins would be kept under the same unknown version.
TEST(NvccTest, OneThatDoesNotTellItsVersionIsRefused) {
  const TemporaryFolder home = *TemporaryFolder::Make();
  const std::string nvcc = home.path() + "/nvcc";
  ASSERT_TRUE(WriteFile(nvcc, "#!/bin/sh\necho cannot execute >&2\nexit 1\n").ok());
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (home.path() + ":" + path).c_str(), 1);
  const auto compiler = CubinCompiler::MakeNvcc(home.path() + "/cubins");
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(compiler.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(compiler.status().message(),
              HasSubstr("nvcc --version exited with status 1: cannot execute; repair the CUDA toolkit"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, CubinCompilerTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Nvcc" : "Nvrtc"; });

}  // namespace
}  // namespace tune
