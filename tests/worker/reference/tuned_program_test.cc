#include "worker/reference/tuned_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class TunedProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(*TemporaryFolder::Make());
    auto compiler = HostCompiler::Make(folder_->path() + "/cache");
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
    auto reference =
        RunReference(setup_, {compiler_.get(), nullptr, nullptr}, folder_->path() + "/reference", &log_);
    ASSERT_TRUE(reference.ok()) << reference.status() << log_;
    reference_ = *std::move(reference);
  }
  v1::ProgramCheck Check(const TunedProgram& tuned) {
    return CheckTunedProgram(setup_, {compiler_.get(), nullptr, nullptr}, reference_, tuned);
  }
  v1::ProgramCheck CheckCode(const std::string& code) {
    TunedProgram tuned;
    tuned.code = code;
    return Check(tuned);
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  v1::StudySetup setup_ = ScaleSetup();
  ReferenceData reference_;
  std::string log_;
};

TEST_F(TunedProgramTest, ThatLeavesTheSameIsCorrect) {
  const v1::ProgramCheck check = CheckCode("{\n  for (int i = n - 1; i >= 0; --i) B[i] = A[i] * s;\n}\n");
  EXPECT_EQ(check.outcome(), v1::CORRECT) << check.message();
  EXPECT_EQ(check.message(), "");
  EXPECT_GT(check.seconds(), 0);
}

TEST_F(TunedProgramTest, ThatLeavesSomethingElse) {
  const v1::ProgramCheck check =
      CheckCode("{\n  for (int i = 0; i < n; ++i) B[i] = i == 7 ? 0 : s * A[i];\n}");
  EXPECT_EQ(check.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(check.message(), HasSubstr("B[7] is 0, expected 17.5"));
}

// B has an element more, which holds something else in every run.
TEST_F(TunedProgramTest, MayFindOtherValuesWhereTheRegionDoesNotWrite) {
  const std::string text =
      absl::StrReplaceAll(kScaleProgram, {{"*B = malloc(n *", "*B = malloc((n + 1) *"},
                                          {"  scale(n, 2.5", "  B[n] = getpid();\n  scale(n, 2.5"},
                                          {"#include <assert.h>", "#include <unistd.h>"}});
  setup_ = ScaleSetup(text);
  setup_.mutable_scop()->mutable_arrays(2)->mutable_extents(0)->set_accessed("[n] -> { [(n + 1)] }");
  const auto reference =
      RunReference(setup_, {compiler_.get(), nullptr, nullptr}, folder_->path() + "/longer", &log_);
  ASSERT_TRUE(reference.ok()) << reference.status() << log_;
  reference_ = *reference;
  const v1::ProgramCheck same = CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }");
  EXPECT_EQ(same.outcome(), v1::CORRECT) << same.message();
  // Nothing else is let through: elements that should have been written, and those that should not.
  EXPECT_EQ(CheckCode("{ for (int i = 1; i < n; ++i) B[i] = s * A[i]; }").outcome(), v1::CORRECTNESS);
  EXPECT_EQ(CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; B[n] = -5; }").outcome(),
            v1::CORRECTNESS);
}

TEST_F(TunedProgramTest, ThatDoesNotCompileOrRun) {
  EXPECT_EQ(CheckCode("{ B[0] = nothing; }").outcome(), v1::COMPILE);
  EXPECT_THAT(CheckCode("{ B[0] = nothing; }").message(), HasSubstr("'nothing' undeclared"));
  EXPECT_EQ(CheckCode("{ abort(); }").outcome(), v1::RUNTIME);
  EXPECT_THAT(CheckCode("{ exit(3); }").message(), HasSubstr("exited with status 3"));
}

TEST_F(TunedProgramTest, FlagsAndPreparation) {
  TunedProgram tuned;
  tuned.code = "{ for (int i = 0; i < n; ++i) B[i] = s * A[i] + (FLAG - 7) + missing; }";
  tuned.compile_flags = {"-DFLAG=7", "-Dmissing=prepared", "-include", folder_->path() + "/prepared.h"};
  ASSERT_TRUE(WriteFile(folder_->path() + "/prepared.h", "static int prepared = 1;\n").ok());
  tuned.prepare = "prepared = 0; ";
  tuned.limit_memory = false;
  EXPECT_EQ(Check(tuned).outcome(), v1::CORRECT) << Check(tuned).message();
  tuned.prepare = "";
  EXPECT_EQ(Check(tuned).outcome(), v1::CORRECTNESS);
}

TEST_F(TunedProgramTest, WithoutMainThereIsNothingToRun) {
  setup_.mutable_program()->set_has_main(false);
  const v1::ProgramCheck check = CheckCode("{ }");
  EXPECT_EQ(check.outcome(), v1::OUTCOME_UNSPECIFIED);
  EXPECT_THAT(check.message(), HasSubstr("no main"));
}

}  // namespace
}  // namespace tune
