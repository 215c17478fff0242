#include "worker/reference/instrumented_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_replace.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"

namespace tune {
namespace {

using ::testing::Each;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Recording = InstrumentedProgram::Recording;

class InstrumentedProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(*TemporaryFolder::Make());
    records_ = folder_->path() + "/records";
    ASSERT_TRUE(MakeFolder(records_ + "/in").ok());
    ASSERT_TRUE(MakeFolder(records_ + "/out").ok());
    compiler_ = *HostCompiler::Make(folder_->path() + "/cache");
  }
  // kScaleProgram with this in place of its second call of the region.
  InstrumentedProgram Build(const std::string& text) {
    const std::string program = absl::StrReplaceAll(kScaleProgram, {{"  scale(n, 1, A, B);\n", text}});
    options_.record_folder = records_;
    std::string log;
    auto built =
        InstrumentedProgram::Build(ScaleSetup(program), {compiler_.get(), nullptr, nullptr}, options_, &log);
    EXPECT_TRUE(built.ok()) << built.status() << log;
    return *std::move(built);
  }
  ProgramRun Run(const InstrumentedProgram& program, Recording recording) {
    std::string log;
    const auto run = program.Run(recording, &log);
    EXPECT_TRUE(run.ok()) << run.status() << log;
    return run.value_or(ProgramRun());
  }
  bool Recorded(const std::string& file) const { return std::filesystem::exists(records_ + file); }

  std::optional<TemporaryFolder> folder_;
  std::string records_;
  InstrumentedProgram::Options options_;
  std::unique_ptr<HostCompiler> compiler_;
};

TEST_F(InstrumentedProgramTest, TimesOfLaterExecutionsAreBounded) {
  const InstrumentedProgram program = Build("  for (int t = 0; t < 1500; ++t) scale(n, t, A, B);\n");
  const ProgramRun run = Run(program, Recording::kTimes);
  EXPECT_EQ(run.reference.executions(), 1501);
  EXPECT_GT(run.reference.sequential_seconds(), 0);
  EXPECT_THAT(run.later_seconds, SizeIs(1000));
  EXPECT_THAT(run.later_seconds, Each(Gt(0)));
  EXPECT_GT(run.wall_seconds, 0);
}

TEST_F(InstrumentedProgramTest, EachRunIsRecordedAlone) {
  const InstrumentedProgram program = Build("  if (fopen(\"left\", \"r\")) scale(n, 1, A, B);\n");
  EXPECT_THAT(Run(program, Recording::kTimes).later_seconds, SizeIs(0));
  EXPECT_FALSE(Recorded("/in/A.bin"));
  EXPECT_FALSE(Recorded("/out/B.bin"));
  const ProgramRun run = Run(program, Recording::kArrays);
  EXPECT_EQ(run.reference.executions(), 1);
  EXPECT_TRUE(Recorded("/in/A.bin"));
  EXPECT_TRUE(Recorded("/out/B.bin"));
}

// Of a run that computes the right thing, too, and in whatever recording.
TEST_F(InstrumentedProgramTest, WhatTellsThatItFailedIsAnError) {
  options_.failure_mark = "in place of the GPU";
  const InstrumentedProgram good = Build("  fprintf(stderr, \"the CPU\\n\");\n");
  const InstrumentedProgram bad = Build("  fprintf(stderr, \"so\\nthe CPU in place of the GPU\\n\");\n");
  for (const Recording recording : {Recording::kTimes, Recording::kArrays}) {
    Run(good, recording);
    std::string log;
    EXPECT_EQ(bad.Run(recording, &log).status(),
              absl::FailedPreconditionError("the CPU in place of the GPU"));
  }
}

TEST_F(InstrumentedProgramTest, TunedCodeMustRunInEachRun) {
  options_.must_run_tuned = true;
  const InstrumentedProgram original = Build("");
  for (const Recording recording : {Recording::kTimes, Recording::kArrays}) {
    std::string log;
    EXPECT_THAT(std::string(original.Run(recording, &log).status().message()),
                HasSubstr("the tuned code did not run"));
  }
}

// The second run ends well without reaching the region, where the first one's record still lay.
TEST_F(InstrumentedProgramTest, AnEarlierRecordIsNotTakenForThisRuns) {
  const std::string flag = records_ + "/flag";
  v1::StudySetup setup = ScaleSetup(absl::StrReplaceAll(
      kScaleProgram, {{"  scale(n, 2.5, A, B);\n",
                       absl::StrCat("  if (fopen(\"", flag, "\", \"r\")) return 0;\n  fclose(fopen(\"", flag,
                                    "\", \"w\"));\n  scale(n, 2.5, A, B);\n")}}));
  InstrumentedProgram::Options options;
  options.record_folder = records_;
  std::string log;
  const auto program = InstrumentedProgram::Build(setup, {compiler_.get(), nullptr, nullptr}, options, &log);
  ASSERT_TRUE(program.ok()) << program.status() << log;
  Run(*program, Recording::kTimes);
  const absl::Status second = program->Run(Recording::kTimes, &log).status();
  EXPECT_THAT(std::string(second.message()), HasSubstr("without reaching the region"));
}

}  // namespace
}  // namespace tune
