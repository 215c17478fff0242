#include "worker/reference/tuned_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"
#include "worker/reference/program_comparison.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// C that has something else in every run.
const std::string kSetNow = "  struct timespec now;\n  clock_gettime(CLOCK_REALTIME, &now);\n";

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

// The program calls the region twice, so that each run has a warm time.
TEST_F(TunedProgramTest, IsComparedWithTheOriginalInTurns) {
  const v1::ProgramCheck check = CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }");
  EXPECT_EQ(check.message(), "");
  for (const v1::ComparedTimes& times : {check.fresh(), check.warm()}) {
    EXPECT_GE(times.runs(), 3);
    EXPECT_LE(times.runs(), 12);
    EXPECT_GT(times.original_seconds(), 0);
    EXPECT_GT(times.tuned_seconds(), 0);
    EXPECT_GT(times.ratio_low(), 0);
    EXPECT_LE(times.ratio_low(), times.ratio());
    EXPECT_LE(times.ratio(), times.ratio_high());
  }
}

// Others have the GPU while the original program runs.
TEST_F(TunedProgramTest, EachRunOfTheTunedProgramWaitsForItsTurn) {
  TunedProgram tuned;
  tuned.code = "{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }";
  int turns = 0;
  tuned.device_turn = [&](const std::function<void()>& run) {
    ++turns;
    run();
  };
  const v1::ProgramCheck check = Check(tuned);
  EXPECT_EQ(check.outcome(), v1::CORRECT) << check.message();
  EXPECT_EQ(turns, 1 + check.fresh().runs()) << "what it leaves, and its times";
  tuned.device_turn = [](const std::function<void()>&) {};
  EXPECT_EQ(Check(tuned).outcome(), v1::CANCELLED);
}

TEST_F(TunedProgramTest, WithoutASecondExecutionNothingIsWarm) {
  setup_ = ScaleSetup(absl::StrReplaceAll(kScaleProgram, {{"  scale(n, 1, A, B);\n", ""}}));
  const v1::ProgramCheck check = CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }");
  EXPECT_EQ(check.outcome(), v1::CORRECT) << check.message();
  EXPECT_GT(check.fresh().runs(), 0);
  EXPECT_FALSE(check.has_warm());
}

// Whatever a run leaves in the program's folder, the next does not find it.
TEST_F(TunedProgramTest, EachRunFindsTheUsersFilesAlone) {
  setup_ = ScaleSetup(absl::StrReplaceAll(kScaleProgram, {{"  scale(n, 1, A, B);\n",
                                                           "  if (fopen(\"left\", \"r\")) abort();\n"
                                                           "  fclose(fopen(\"left\", \"w\"));\n"}}));
  const v1::ProgramCheck check = CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }");
  EXPECT_EQ(check.outcome(), v1::CORRECT) << check.message();
  EXPECT_GT(check.fresh().runs(), 0) << check.message();
}

// Where the guard does not hold the original text runs, and that its outputs agree says nothing.
TEST_F(TunedProgramTest, WhoseTunedCodeDoesNotRunIsNotCorrect) {
  reference_.reference.mutable_parameters(0)->set_value(99);
  const v1::ProgramCheck check = CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }");
  EXPECT_EQ(check.outcome(), v1::RUNTIME);
  EXPECT_EQ(check.message(),
            "the tuned code did not run: its guard does not hold in its own program, or it failed");
  EXPECT_FALSE(check.has_fresh());
}

// The second execution, with s = 1, does not make up for the first.
// As on a GPU that cannot be had: the original runs, which proves nothing.
TEST_F(TunedProgramTest, WhoseTunedCodeFailsIsNotCorrect) {
  const std::string code = "{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; tune_done = 1; }";
  EXPECT_EQ(CheckCode(code).outcome(), v1::CORRECT) << CheckCode(code).message();
  const v1::ProgramCheck check = CheckCode("{ tune_done = 0; }");
  EXPECT_EQ(check.outcome(), v1::RUNTIME);
  EXPECT_THAT(check.message(), HasSubstr("the tuned code did not run"));
}

TEST_F(TunedProgramTest, WhoseTunedCodeRunsLaterIsNotCorrect) {
  setup_ = ScaleSetup(
      absl::StrReplaceAll(kScaleProgram, {{"  scale(n, 2.5, A, B);\n", "  scale(n - 1, 2.5, A, B);\n"}}));
  EXPECT_EQ(CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }").outcome(), v1::RUNTIME);
}

TEST_F(TunedProgramTest, OpenMpStartsTheThreadsAskedFor) {
  TunedProgram tuned;
  tuned.code =
      "{ extern int omp_get_max_threads(void); for (int i = 0; i < n; ++i) B[i] = s * A[i] + "
      "(omp_get_max_threads() - 3); }";
  tuned.compile_flags = {"-fopenmp"};
  tuned.threads = 3;
  EXPECT_EQ(Check(tuned).outcome(), v1::CORRECT) << Check(tuned).message();
}

TEST(ProgramComparisonTest, PairsAndTheirTime) {
  // Short programs: 12. From 5 s on 6, from 20 s on 3, however long they take.
  EXPECT_TRUE(WantsAnotherPair(11, 4.9));
  EXPECT_FALSE(WantsAnotherPair(12, 0.1));
  EXPECT_TRUE(WantsAnotherPair(5, 19));
  EXPECT_FALSE(WantsAnotherPair(6, 5));
  EXPECT_TRUE(WantsAnotherPair(2, 1000));
  EXPECT_FALSE(WantsAnotherPair(3, 20));
}

TEST_F(TunedProgramTest, ThatLeavesSomethingElse) {
  const v1::ProgramCheck check =
      CheckCode("{\n  for (int i = 0; i < n; ++i) B[i] = i == 7 ? 0 : s * A[i];\n}");
  EXPECT_EQ(check.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(check.message(), HasSubstr("B[7] is 0, expected 17.5"));
  EXPECT_FALSE(check.has_fresh());
}

// Then the check says so, and of no other elements.
TEST_F(TunedProgramTest, RunsWithOtherInputsAreNamed) {
  EXPECT_THAT(CheckCode("{ for (int i = 0; i < n; ++i) B[i] = 1; }").message(),
              ::testing::Not(HasSubstr("the runs of the program")));
  setup_ = ScaleSetup(absl::StrReplaceAll(
      kScaleProgram, {{"  scale(n, 2.5", kSetNow + "  A[4] = now.tv_nsec;\n  scale(n, 2.5"},
                      {"#include <assert.h>", "#include <time.h>"}}));
  const auto reference =
      RunReference(setup_, {compiler_.get(), nullptr, nullptr}, folder_->path() + "/other", &log_);
  ASSERT_TRUE(reference.ok()) << reference.status() << log_;
  reference_ = *reference;
  const v1::ProgramCheck check = CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }");
  EXPECT_EQ(check.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(check.message(),
              HasSubstr("; the runs of the program come to the region with different values: A[4] is "));
}

// What the block held before differs in every run.
TEST_F(TunedProgramTest, ElementsWithoutAValueAreNamed) {
  setup_ = ScaleSetup(absl::StrReplaceAll(
      kScaleProgram,
      {{"  double *A", kSetNow +
                           "  volatile double *old = malloc(n * sizeof *old);\n  old[4] = now.tv_nsec;\n" +
                           "  free((void *)old);\n  double *A"},
       {"A[i] = i,", "A[i] = i == 4 ? A[4] : i,"},
       {"#include <assert.h>", "#include <time.h>"}}));
  const auto reference =
      RunReference(setup_, {compiler_.get(), nullptr, nullptr}, folder_->path() + "/unset", &log_);
  ASSERT_TRUE(reference.ok()) << reference.status() << log_;
  reference_ = *reference;
  const v1::ProgramCheck check = CheckCode("{ for (int i = 0; i < n; ++i) B[i] = s * A[i]; }");
  EXPECT_EQ(check.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(check.message(),
              HasSubstr("; the region reads A[4], to which the program has given no value before: it finds "
                        "what lay in memory, "));
}

// B has an element more, which holds something else in every run.
TEST_F(TunedProgramTest, MayFindOtherValuesWhereTheRegionDoesNotWrite) {
  const std::string text = absl::StrReplaceAll(
      kScaleProgram, {{"*B = malloc(n *", "*B = malloc((n + 1) *"},
                      {"  scale(n, 2.5", kSetNow + "  B[n] = now.tv_nsec % 1000;\n  scale(n, 2.5"},
                      {"#include <assert.h>", "#include <time.h>"}});
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
  tuned.compile_flags = {"-DFLAG=7", "-Dmissing=prepared", "-include", "prepared.h"};
  tuned.files = {{"prepared.h", "static int prepared = 1;\n"}};
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
