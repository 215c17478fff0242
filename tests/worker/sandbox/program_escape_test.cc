// A user's program that attacks the machine, in its reference run and in the last check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/str_replace.h"
#include "tests/worker/sandbox/escape_attempts.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"
#include "worker/reference/tuned_program.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProgramEscapeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(*TemporaryFolder::Make());
    auto compiler = HostCompiler::Make(folder_->path() + "/cache");
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
  }

  // kScaleProgram, which does this first.
  v1::StudySetup Setup(const std::string& deed) {
    return ScaleSetup(host_.Attempts() +
                      absl::StrReplaceAll(kScaleProgram, {{"  int n = argc", deed + "\n  int n = argc"}}));
  }
  absl::StatusOr<ReferenceData> RunReferenceOf(const v1::StudySetup& setup) {
    return RunReference(setup, {compiler_.get(), nullptr, nullptr}, folder_->path() + "/reference", &log_);
  }
  // A program that calls `deed`, the body of a function, when it ends.
  v1::StudySetup SetupWithEnd(const std::string& deed) {
    return ScaleSetup(absl::StrCat(
        host_.Attempts(), "static void at_end(void) { ", deed, " }\n",
        absl::StrReplaceAll(kScaleProgram, {{"  int n = argc", "  atexit(at_end);\n  int n = argc"}})));
  }
  // Why its reference run failed.
  std::string Failure(const std::string& deed) {
    return std::string(RunReferenceOf(Setup(deed)).status().message());
  }

  Host host_;
  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  std::string log_;
};

TEST_F(ProgramEscapeTest, ReferenceRunReachesNothingOfTheHost) {
  SKIP_WITHOUT_SANDBOX();
  const auto reference = RunReferenceOf(Setup("  attempt_all(); leave_daemon();"));
  ASSERT_TRUE(reference.ok()) << reference.status() << log_;
  EXPECT_THAT(Reached(log_), IsEmpty());
  EXPECT_TRUE(host_.Untouched());
  EXPECT_EQ(host_.DaemonsLeft(), 0);
}

// It ends by its own, and with its time; also where there are no namespaces.
TEST_F(ProgramEscapeTest, NoDaemonOutlivesAProgramThatFails) {
  EXPECT_THAT(Failure("  for (int i = 0; i < 50; ++i) leave_daemon(); exit(9);"), HasSubstr("status 9"));
  EXPECT_EQ(host_.DaemonsLeft(), 0);
  v1::StudySetup setup = Setup("  leave_daemon(); for (;;) pause();");
  setup.mutable_limits()->set_reference_seconds(1);
  EXPECT_EQ(RunReferenceOf(setup).status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(host_.DaemonsLeft(), 0);
}

TEST_F(ProgramEscapeTest, WithoutNamespacesReachesNoNetworkAndLeavesNoDaemon) {
  const NoNamespaces none;
  const auto reference = RunReferenceOf(Setup(
      "  attempt_network(); attempt_kernel(); leave_daemon(); if (getenv(\"TUNE_TOKEN_FILE\")) exit(9);"));
  ASSERT_TRUE(reference.ok()) << reference.status() << log_;
  EXPECT_THAT(Reached(log_), IsEmpty());
  EXPECT_EQ(host_.DaemonsLeft(), 0);
}

TEST_F(ProgramEscapeTest, LastCheckReachesNothingOfTheHost) {
  SKIP_WITHOUT_SANDBOX();
  const v1::StudySetup setup = Setup("");
  const auto reference = RunReferenceOf(setup);
  ASSERT_TRUE(reference.ok()) << reference.status() << log_;
  TunedProgram tuned;
  tuned.code =
      "{ if (attempt_all() > 0) exit(40 + attempts_reached); leave_daemon();\n"
      "for (int i = 0; i < n; ++i) B[i] = s * A[i]; }";
  const v1::ProgramCheck check =
      CheckTunedProgram(setup, {compiler_.get(), nullptr, nullptr}, *reference, tuned);
  EXPECT_EQ(check.outcome(), v1::CORRECT) << check.message();
  EXPECT_TRUE(host_.Untouched());
  EXPECT_EQ(host_.DaemonsLeft(), 0);
}

// Arrays are read by the worker: a link would bring it the host's files, a pipe would hold it for ever.
TEST_F(ProgramEscapeTest, WhatTheRecorderLeavesIsNoLinkAndNoPipe) {
  const std::string records = folder_->path() + "/reference";
  for (const char* how : {"mkfifo(file, 0600)", "symlink(\"/etc/passwd\", file)"}) {
    const v1::StudySetup setup = SetupWithEnd(absl::StrCat(
        "const char *file = \"", records, "/in/A.bin\"; unlink(file); if (", how, ") _exit(77);"));
    EXPECT_THAT(std::string(RunReferenceOf(setup).status().message()),
                HasSubstr("A.bin: not a regular file"));
  }
  const v1::StudySetup setup = SetupWithEnd(absl::StrCat("chdir(\"", records,
                                                         "\"); if (rename(\"in\", \"away\") != 0 || "
                                                         "symlink(\"/etc\", \"in\") != 0) _exit(77);"));
  EXPECT_THAT(std::string(RunReferenceOf(setup).status().message()), HasSubstr("in: not a regular file"));
}

// 256 MiB of output cost the worker no memory.
TEST_F(ProgramEscapeTest, AFloodOfOutputStaysOnDisk) {
  const auto peak = [] {
    const std::string status = ReadFile("/proc/self/status").value_or("");
    const size_t at = status.find("VmHWM:");
    return at == std::string::npos ? 0 : std::stoll(status.substr(at + 6));
  };
  const int64_t before = peak();
  const auto reference = RunReferenceOf(Setup(
      "  static char block[1 << 20]; for (int i = 0; i < 256; ++i) fwrite(block, 1, 1 << 20, stdout);"));
  ASSERT_TRUE(reference.ok()) << reference.status();
  EXPECT_LT(peak() - before, 32 << 10);  // KiB
  EXPECT_EQ(reference->reference.standard_output_tail().size(), 4096u);
}

}  // namespace
}  // namespace tune
