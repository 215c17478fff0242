#include "worker/sandbox/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/file.h"
#include "tests/worker/sandbox/escape_attempts.h"
#include "worker/sandbox/clean_environment.h"
#include "worker/sandbox/device_access.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

SubprocessResult Shell(const std::string& script, const SandboxSettings& settings = {},
                       const SubprocessOptions& options = {}) {
  const auto run = RunSandboxed({"sh", "-c", script}, settings, options);
  EXPECT_TRUE(run.ok()) << run.status();
  return run.value_or(SubprocessResult());
}

TEST(SandboxTest, RunsAsASubprocess) {
  SubprocessOptions options;
  options.standard_input = "text";
  const SubprocessResult run = Shell("cat; echo error >&2; exit 5", {}, options);
  EXPECT_EQ(run.standard_output, "text");
  EXPECT_EQ(run.standard_error, "error\n");
  EXPECT_EQ(run.exit_code, 5);
  options.wall_limit = absl::Milliseconds(100);
  EXPECT_TRUE(Shell("sleep 1000 & sleep 1000", {}, options).timed_out);
  options.wall_limit = absl::Seconds(20);
  options.cpu_limit = absl::Milliseconds(10);
  EXPECT_TRUE(Shell("while :; do :; done", {}, options).timed_out);
}

TEST(SandboxTest, ErrorsAreNotTheProgramsEnd) {
  EXPECT_EQ(RunSandboxed({"no-such-program"}, {}, {}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Shell("echo 'tune-sandbox: broken' >&2; exit 126").exit_code, 127);
  SKIP_WITHOUT_SANDBOX();
  SandboxSettings settings;
  settings.readable = {"/no/such/file"};
  const absl::Status status = RunSandboxed({"true"}, settings, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the sandbox of true could not be made: /no/such/file: No such file or directory"));
}

TEST(SandboxTest, FurtherFoldersAreShownToAll) {
  SKIP_WITHOUT_SANDBOX();
  // For the rest of this process, so a folder that stays.
  EXPECT_NE(Shell("test -e /etc/profile").exit_code, 0);
  AddReadableFolders({"/etc/profile"});
  EXPECT_EQ(Shell("test -e /etc/profile").exit_code, 0);
}

TEST(SandboxTest, InstallationsAreNoHomes) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  for (const char* file : {"/gcc/bin/gcc", "/gcc/cc", "/home/bin/cc"}) {
    ASSERT_TRUE(MakeFolder(folder.path() + file + ".d").ok());
    ASSERT_TRUE(WriteFile(folder.path() + file, "").ok());
  }
  const char* const home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  setenv("HOME", (folder.path() + "/home/").c_str(), 1);
  EXPECT_THAT(InstallationOf("/usr/bin/cc"), IsEmpty());
  EXPECT_THAT(InstallationOf(folder.path() + "/gcc/bin/gcc"), Contains(folder.path() + "/gcc"));
  EXPECT_THAT(InstallationOf(folder.path() + "/gcc/cc"), Contains(folder.path() + "/gcc/cc"));
  EXPECT_THAT(InstallationOf(folder.path() + "/home/bin/cc"),
              AllOf(Contains(folder.path() + "/home/bin/cc"), Not(Contains(folder.path() + "/home"))));
  setenv("HOME", before.c_str(), 1);
}

TEST(SandboxTest, TheEnvironmentIsOfTheNamesThatAreKnown) {
  setenv("OMP_SCHEDULE", "static", 1);
  setenv("TUNE_TOKEN_FILE", "/token", 1);
  setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  const std::vector<std::string> environment = CleanEnvironment("/work");
  unsetenv("OMP_SCHEDULE");
  unsetenv("TUNE_TOKEN_FILE");
  unsetenv("AWS_SECRET_ACCESS_KEY");
  EXPECT_THAT(environment, AllOf(Contains("OMP_SCHEDULE=static"), Contains("HOME=/work"),
                                 Contains("TMPDIR=/work"), Contains(StartsWith("PATH="))));
  for (const std::string& entry : environment) {
    EXPECT_THAT(entry, AllOf(Not(HasSubstr("secret")), Not(HasSubstr("TOKEN")))) << entry;
  }
}

TEST(SandboxTest, DevicesComeWithTheStateOfTheMachine) {
  SandboxSettings settings;
  AllowDevices(&settings);
  EXPECT_EQ(settings.calls, SandboxSettings::kDevice);
  EXPECT_TRUE(settings.system_state);
  for (const std::string& device : settings.devices) EXPECT_THAT(device, StartsWith("/dev/"));
  SKIP_WITHOUT_SANDBOX();
  EXPECT_THAT(Shell("cat /proc/cpuinfo /sys/devices/system/cpu/online", settings).standard_output,
              HasSubstr("model"));
}

}  // namespace
}  // namespace tune
