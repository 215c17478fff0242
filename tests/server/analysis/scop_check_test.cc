#include "server/analysis/scop_check.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "common/base/file.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/server/analysis/analysers.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

TEST(ScopCheck, FindsTheIdentity) {
  ScopCheck check({.analyser = RealAnalyser()});
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    const absl::StatusOr<ScopIdentity> found = check.Identify(sample.make());
    ASSERT_TRUE(found.ok()) << sample.name << ": " << found.status();
    const ScopIdentity expected = IdentifyScop(sample.make());
    EXPECT_EQ(found->fingerprint, expected.fingerprint);
    EXPECT_EQ(found->shape, expected.shape);
    EXPECT_EQ(found->sizes, expected.sizes);
  }
}

TEST(ScopCheck, RefusesWhatIsNoScop) {
  ScopCheck check({.analyser = RealAnalyser()});
  v1::Scop scop = testing::GemmScop();
  scop.mutable_statements(1)->mutable_accesses(1)->set_relation("{ S1[i, k, j] -> A[i] }");
  const absl::Status status = check.Identify(scop).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("statement S1, access 1"));
}

TEST(ScopCheck, ForeignNotationStartsNoProcess) {
  ScopCheck check({.analyser = ShellAnalyser("echo started >&2; exit 1")});
  v1::Scop scop = testing::GemmScop();
  scop.set_schedule("{ domain: 5 }");
  EXPECT_EQ(check.Identify(scop).status().code(), absl::StatusCode::kInvalidArgument);
}

// A few hundred bytes that isl takes seconds for: each condition doubles the pieces.
TEST(ScopCheck, ARegionThatIsTooComplexIsRefused) {
  std::string context = "[ni, nj, nk] -> { : ni >= 0 and nj >= 0 and nk >= 0";
  for (int i = 0; i < 4; ++i) {
    absl::StrAppend(&context, " and (ni mod ", 3 + 2 * i, " = 0 or nj mod ", 7 + 3 * i, " = 1 or nk mod ",
                    11 + 5 * i, " = 2)");
  }
  v1::Scop scop = testing::GemmScop();
  scop.set_context(context + " }");
  ScopCheck check({.analyser = RealAnalyser()});
  const absl::Status status = check.Identify(scop).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("too complex"));
}

TEST(ScopCheck, AScopThatEndsTheProcessIsRefused) {
  ScopCheck check({.analyser = ShellAnalyser("echo isl was here >&2; kill -SEGV $$")});
  const absl::Status status = check.Identify(testing::GemmScop()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("was killed by signal 11"));
  EXPECT_THAT(status.message(), HasSubstr("isl was here"));
}

TEST(ScopCheck, AScopThatStallsTheProcessIsRefused) {
  AnalyserOptions analyser = ShellAnalyser("exec sleep 1000");
  analyser.answer_limit = absl::Milliseconds(50);
  ScopCheck check({.analyser = analyser});
  const absl::Status status = check.Identify(testing::GemmScop()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("looked at for 50ms without an end"));
}

TEST(ScopCheck, WhatIsNoAnswerIsAnError) {
  ScopCheck check({.analyser = ShellAnalyser("printf '\\003\\000\\000\\000abc'; exec sleep 1000")});
  EXPECT_EQ(check.Identify(testing::GemmScop()).status().code(), absl::StatusCode::kInternal);
}

TEST(ScopCheck, ProcessesHaveLittleMemory) {
  if (kAnalyserMemory == 0) GTEST_SKIP() << "sanitizers reserve more than any limit";
  AnalyserOptions analyser = RealAnalyser();
  analyser.memory_bytes = 1 << 20;
  ScopCheck check({.analyser = analyser});
  EXPECT_FALSE(check.Identify(testing::GemmScop()).ok());
}

TEST(ScopCheck, ResultsAreRemembered) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string count = folder.path() + "/count";
  // Files of one byte may be written: each start takes one away.
  ASSERT_TRUE(WriteFile(count, "").ok());
  ScopCheck check({.analyser = ShellAnalyser("rm " + count + " || exit 3; kill -9 $$"), .kept = 1});
  EXPECT_THAT(check.Identify(testing::GemmScop()).status().message(), HasSubstr("signal 9"));
  EXPECT_THAT(check.Identify(testing::GemmScop()).status().message(), HasSubstr("signal 9"));
  // Another result takes its place.
  EXPECT_THAT(check.Identify(testing::SeidelScop()).status().message(), HasSubstr("status 3"));
  EXPECT_THAT(check.Identify(testing::GemmScop()).status().message(), HasSubstr("status 3"));
}

// The first process waits for a line from `gate`, others end at once.
std::string FirstWaits(const std::string& folder) {
  EXPECT_EQ(mkfifo((folder + "/gate").c_str(), 0600), 0);
  EXPECT_TRUE(WriteFile(folder + "/first", "").ok());
  return absl::StrCat("cd ", folder, "; rm first 2> /dev/null && read line < gate; kill -9 $$");
}

TEST(ScopCheck, AScopThatTakesLongKeepsNobodyWaiting) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ScopCheck check({.analyser = ShellAnalyser(FirstWaits(folder.path())),
                   .processes = 1,
                   .slow_processes = 2,
                   .quick = absl::ZeroDuration()});
  std::thread first([&] { EXPECT_FALSE(check.Identify(testing::GemmScop()).ok()); });
  const int fd = open((folder.path() + "/gate").c_str(), O_WRONLY);  // returns when the process has opened it
  EXPECT_THAT(check.Identify(testing::SeidelScop()).status().message(), HasSubstr("killed by signal 9"));
  EXPECT_EQ(write(fd, "\n", 1), 1);
  close(fd);
  first.join();
}

TEST(ScopCheck, OfThoseThatTakeLongThereAreFew) {
  AnalyserOptions analyser = ShellAnalyser("exec sleep 1000");
  ScopCheck check({.analyser = analyser, .slow_processes = 0, .quick = absl::ZeroDuration()});
  const absl::Status status = check.Identify(testing::GemmScop()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("is looking at 0 others like it; try again"));
}

TEST(ScopCheck, OthersWaitForTheirTurn) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string gate = folder.path() + "/gate";
  ASSERT_EQ(mkfifo(gate.c_str(), 0600), 0);
  ScopCheck check({.analyser = ShellAnalyser("read line < " + gate + "; kill -9 $$"),
                   .processes = 1,
                   .quick = absl::InfiniteDuration(),
                   .patience = absl::Milliseconds(20)});
  std::thread first([&] { EXPECT_FALSE(check.Identify(testing::GemmScop()).ok()); });
  const int fd = open(gate.c_str(), O_WRONLY);  // returns when the process has opened it
  const absl::Status status = check.Identify(testing::SeidelScop()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("try again"));
  EXPECT_EQ(write(fd, "\n", 1), 1);
  close(fd);
  first.join();
}

}  // namespace
}  // namespace tune
