// A candidate that attacks the machine, run as any other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "common/base/subprocess.h"
#include "tests/worker/sandbox/escape_attempts.h"
#include "worker/run/runner.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CandidateEscapeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  // What becomes of a candidate that runs `body`.
  RunOutcome Run(const std::string& body) {
    const std::string path = folder_->path() + "/candidate";
    EXPECT_TRUE(
        WriteFile(path + ".c", host_.Attempts() + "void tune_region(void **arrays) {\n" + body + "\n}\n")
            .ok());
    const auto built = RunSubprocess({"cc", "-w", "-shared", "-fPIC", path + ".c", "-o", path + ".so"});
    EXPECT_TRUE(built.ok() && built->ok()) << (built.ok() ? built->standard_error : "");
    RunRequest request;
    request.wall_seconds = 20;
    request.job.add_candidates()->set_library(path + ".so");
    request.job.set_memory_bytes(1 << 30);
    request.job.set_file_bytes(1 << 20);
    const auto runner = ProcessRunner::Make();
    EXPECT_TRUE(runner.ok()) << runner.status();
    const auto outcome = (*runner)->Run(request);
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome.value_or(RunOutcome());
  }

  Host host_;
  std::optional<TemporaryFolder> folder_;
};

TEST_F(CandidateEscapeTest, ReachesNothingOfTheHost) {
  SKIP_WITHOUT_SANDBOX();
  const RunOutcome outcome = Run("exit(40 + attempt_all());");
  ASSERT_EQ(outcome.verdicts.size(), 1u);
  EXPECT_THAT(outcome.verdicts[0].message(), HasSubstr("status 40 "));
  EXPECT_THAT(Reached(outcome.log), IsEmpty());
  EXPECT_TRUE(host_.Untouched());
}

TEST_F(CandidateEscapeTest, LeavesNoProcess) {
  const RunOutcome outcome = Run("leave_daemon(); exit(7);");
  ASSERT_EQ(outcome.verdicts.size(), 1u);
  EXPECT_THAT(outcome.verdicts[0].message(), HasSubstr("status 7 "));
  EXPECT_EQ(host_.DaemonsLeft(), 0);
}

// What the list of system calls keeps from it also where the kernel permits no namespaces.
TEST_F(CandidateEscapeTest, WithoutNamespacesReachesNoOtherProcessAndNoNetwork) {
  const NoNamespaces none;
  prctl(PR_SET_DUMPABLE, 0);  // as the worker
  const RunOutcome outcome =
      Run("attempt_network(); attempt_kernel(); attempt_worker(); "
          "attempt_process(\"the judge\", getppid()); attempt(\"process\", fork() >= 0); "
          "attempt(\"environment\", getenv(\"TUNE_TOKEN_FILE\") != NULL); exit(40 + attempts_reached);");
  prctl(PR_SET_DUMPABLE, 1);
  ASSERT_EQ(outcome.verdicts.size(), 1u);
  EXPECT_THAT(outcome.verdicts[0].message(), HasSubstr("status 40 "));
  EXPECT_THAT(Reached(outcome.log), IsEmpty());
}

}  // namespace
}  // namespace tune
