#include "worker/ppcg/ppcg_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/worker/ppcg/fake_ppcg.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Message(const absl::Status& status) { return std::string(status.message()); }

absl::StatusOr<PpcgFiles> RunPpcg(const testing::FakePpcg& fake, const PpcgLimits& limits = {}) {
  return fake.Program().Run("int x;\n", {"--sizes={ }"}, "", limits);
}

TEST(PpcgProgram, AbsenceIsOneLineThatSaysWhatToDo) {
  const auto program = PpcgProgram::Find("/nowhere/ppcg");
  ASSERT_TRUE(absl::IsNotFound(program.status())) << program.status();
  EXPECT_THAT(Message(program.status()),
              AllOf(HasSubstr("no ppcg: /nowhere/ppcg: no such program"), HasSubstr("install PPCG 0.09"),
                    HasSubstr("--ppcg"), Not(HasSubstr("\n"))));
}

TEST(PpcgProgram, WhatDoesNotAnswerIsNoPpcg) {
  const testing::FakePpcg fails("", "echo broken >&2; exit 3");
  const auto program = PpcgProgram::Find(fails.path());
  ASSERT_TRUE(absl::IsNotFound(program.status())) << program.status();
  EXPECT_THAT(Message(program.status()), AllOf(HasSubstr("exited with status 3"), Not(HasSubstr("\n"))));
  for (const std::string version : {"true", "echo gcc 12"}) {
    const testing::FakePpcg other("", version);
    EXPECT_THAT(Message(PpcgProgram::Find(other.path()).status()), HasSubstr("does not answer as PPCG does"));
  }
}

TEST(PpcgProgram, ItIsFoundInPath) {
  const testing::FakePpcg fake("");
  const std::string before = std::getenv("PATH");
  setenv("PATH", absl::StrCat(fake.folder(), ":", before).c_str(), 1);
  const auto program = PpcgProgram::Find();
  setenv("PATH", "/nowhere", 1);
  const auto none = PpcgProgram::Find();
  setenv("PATH", before.c_str(), 1);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->version(), "ppcg 0.09 (a script)");
  EXPECT_TRUE(absl::IsNotFound(none.status()));
  EXPECT_THAT(Message(none.status()), HasSubstr("no such program in PATH"));
}

TEST(PpcgProgram, ItsVersionComesFirst) {
  const testing::FakePpcg fake("", "printf 'a clang\\n\\npet-0.11.6\\nisl-0.25\\nppcg-0.09\\n'");
  EXPECT_EQ(fake.Program().version(), "ppcg-0.09, a clang, pet-0.11.6, isl-0.25");
}

TEST(PpcgProgram, FilesAndArguments) {
  const testing::FakePpcg fake("echo \"$@\"; cat region.schedule\n" + testing::WriteOutput("K", "H"));
  const auto files = fake.Program().Run("int x;\n", {"--a", "--b={ }"}, "a tree", {});
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->kernels, "K\n");
  EXPECT_EQ(files->host, "H\n");
  EXPECT_EQ(files->said, "--target=cuda --a --b={ } --load-schedule=region.schedule region.c\na tree\n");
}

TEST(PpcgProgram, SeesNoFilesButItsOwn) {
  const testing::FakePpcg fake("cat /etc/passwd; touch \"$(dirname \"$0\")/made\"\n" +
                               testing::WriteOutput("K", "H"));
  unsetenv(testing::FakePpcg::kSandboxSwitch);
  if (const absl::Status support = SandboxSupport(); !support.ok()) GTEST_SKIP() << support.message();
  const auto files = fake.Program().Run("int x;\n", {}, "", {});
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->kernels, "K\n");
  EXPECT_THAT(files->said, HasSubstr("passwd: No such file"));
  EXPECT_FALSE(std::filesystem::exists(fake.folder() + "/made"));
}

TEST(PpcgProgram, FailureIsTheCandidatesWithWhatItSaid) {
  const auto files =
      RunPpcg(testing::FakePpcg("echo 'warning: x' >&2; echo \"$PWD/region.c:3: error: bad\" >&2; exit 1"));
  EXPECT_TRUE(absl::IsInternal(files.status()));
  EXPECT_EQ(Message(files.status()), "ppcg exited with status 1: region.c:3: error: bad");
  const auto crash = RunPpcg(testing::FakePpcg("ulimit -f 0; echo text > file"));
  EXPECT_TRUE(absl::IsInternal(crash.status()));
  EXPECT_THAT(Message(crash.status()), HasSubstr("signal 25"));
  const auto memory = RunPpcg(testing::FakePpcg("echo 'out of memory' >&2; exit 1"));
  EXPECT_TRUE(absl::IsResourceExhausted(memory.status()));
}

TEST(PpcgProgram, NoFilesIsAnErrorAlsoWhenItSucceeds) {
  const auto files = RunPpcg(testing::FakePpcg("echo 'unable to carry dependences' >&2"));
  EXPECT_TRUE(absl::IsInternal(files.status()));
  EXPECT_EQ(Message(files.status()), "ppcg wrote no region_host.cu: unable to carry dependences");
}

TEST(PpcgProgram, AHangEndsAtTheTimeLimit) {
  PpcgLimits limits;
  limits.wall = absl::Milliseconds(200);
  const auto files = RunPpcg(testing::FakePpcg("sleep 1000 & wait"), limits);
  EXPECT_TRUE(absl::IsResourceExhausted(files.status()));
  EXPECT_THAT(Message(files.status()), HasSubstr("had not ended after 0.2 s"));
}

TEST(PpcgProgram, Cancellation) {
  Cancellation cancellation;
  cancellation.Cancel();
  PpcgLimits limits;
  limits.cancellation = &cancellation;
  EXPECT_TRUE(absl::IsCancelled(RunPpcg(testing::FakePpcg("sleep 1000"), limits).status()));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(PpcgProgram, MemoryIsLimited) {
  PpcgLimits limits;
  limits.memory_bytes = int64_t{64} << 20;
  const auto files = RunPpcg(testing::FakePpcg("ulimit -v; " + testing::WriteOutput("", "")), limits);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->said, "65536\n\n");
}
#endif

}  // namespace
}  // namespace tune
