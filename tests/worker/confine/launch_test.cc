// tune-sandbox as a program: what it shows, what it keeps, how it ends.
#include "worker/confine/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "common/base/file.h"
#include "common/base/launched_process.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

SubprocessResult Sandbox(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), TUNE_BINARY_DIR "/bin/tune-sandbox");
  SubprocessOptions options;
  options.wall_limit = absl::Seconds(20);
  const auto result = RunSubprocess(arguments, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(SubprocessResult());
}

SubprocessResult Shell(std::vector<std::string> options, const std::string& script) {
  for (const char* word : {"--", "/bin/sh", "-c", script.c_str()}) options.push_back(word);
  return Sandbox(options);
}

// For the begin of a test that needs namespaces.
#define SKIP_WITHOUT_NAMESPACES()                                       \
  if (const SubprocessResult check = Sandbox({"--check"}); !check.ok()) \
  GTEST_SKIP() << "no namespaces here: " << check.standard_error

class LaunchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(*TemporaryFolder::Make());
    ASSERT_TRUE(WriteFile(Path("file"), "content").ok());
    ASSERT_TRUE(MakeFolder(Path("work")).ok());
  }
  std::string Path(const std::string& name) const { return folder_->path() + "/" + name; }

  std::optional<TemporaryFolder> folder_;
};

TEST_F(LaunchTest, EndsAsTheProgramDoes) {
  SKIP_WITHOUT_NAMESPACES();
  EXPECT_EQ(Shell({}, "exit 0").exit_code, 0);
  EXPECT_EQ(Shell({}, "exit 42").exit_code, 42);
  EXPECT_EQ(Shell({}, "kill -SEGV $$").signal, SIGSEGV);
  EXPECT_EQ(Shell({}, "kill -KILL $$").signal, SIGKILL);
}

TEST_F(LaunchTest, ItsOwnTroubleIsNotTheProgramsAnd126IsTold127) {
  SKIP_WITHOUT_NAMESPACES();
  EXPECT_EQ(Shell({}, "exit 126").exit_code, 127);
  const SubprocessResult none = Sandbox({"--", "/no/such/program"});
  EXPECT_EQ(none.exit_code, 126);
  EXPECT_EQ(none.standard_error, "tune-sandbox: running /no/such/program: No such file or directory\n");
  const SubprocessResult no_path = Shell({"--read", Path("nothing")}, "true");
  EXPECT_EQ(no_path.exit_code, 126);
  EXPECT_THAT(no_path.standard_error, HasSubstr("nothing: No such file or directory"));
}

TEST_F(LaunchTest, WrongArguments) {
  EXPECT_EQ(Sandbox({"--no-such-option"}).exit_code, 2);
  EXPECT_EQ(Sandbox({}).exit_code, 2);
  EXPECT_EQ(Sandbox({"--calls", "everything", "--", "/bin/true"}).exit_code, 2);
  EXPECT_EQ(Sandbox({"--cpu", "soon", "--", "/bin/true"}).exit_code, 2);
  const SubprocessResult help = Sandbox({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* option : {"--check", "--no-namespaces", "--read", "--write", "--device", "--system-state",
                             "--folder", "--calls", "--memory", "--file-size", "--cpu", "--processes"}) {
    EXPECT_THAT(help.standard_output, HasSubstr(option));
  }
}

TEST_F(LaunchTest, ShowsWhatIsNamedUnderItsName) {
  SKIP_WITHOUT_NAMESPACES();
  const SubprocessResult run =
      Shell({"--read", Path("file"), "--write", Path("work"), "--folder", Path("work")},
            "cat ../file; ls ..; pwd; echo new > made; echo new > ../file || echo kept");
  EXPECT_EQ(run.exit_code, 0) << run.standard_error;
  EXPECT_EQ(run.standard_output, "contentfile\nwork\n" + Path("work") + "\nkept\n");
  EXPECT_EQ(*ReadFile(Path("work/made")), "new\n");
  EXPECT_EQ(*ReadFile(Path("file")), "content");
}

TEST_F(LaunchTest, FoldersInFolders) {
  SKIP_WITHOUT_NAMESPACES();
  ASSERT_TRUE(WriteFile(Path("work/input"), "read me").ok());
  const SubprocessResult run = Shell({"--write", folder_->path(), "--read", Path("work")},
                                     "cat " + Path("work/input") + "; echo > " + Path("new") +
                                         " && echo made; echo > " + Path("work/new") + " || echo refused");
  EXPECT_EQ(run.standard_output, "read memade\nrefused\n");
}

TEST_F(LaunchTest, HidesTheRest) {
  SKIP_WITHOUT_NAMESPACES();
  const SubprocessResult run =
      Shell({}, "ls " + folder_->path() + "; ls /proc; ls /etc; ls /; cat /proc/self/status");
  EXPECT_THAT(run.standard_output, Not(HasSubstr("work")));
  EXPECT_THAT(run.standard_output, Not(HasSubstr("cpuinfo")));
  EXPECT_THAT(run.standard_output, Not(HasSubstr("passwd")));
  EXPECT_THAT(run.standard_output, Not(HasSubstr("root")));
  EXPECT_THAT(run.standard_output, HasSubstr("CapEff:\t0000000000000000"));
  EXPECT_THAT(run.standard_output, HasSubstr("CapBnd:\t0000000000000000"));
  EXPECT_THAT(run.standard_output, HasSubstr("NoNewPrivs:\t1"));
}

TEST_F(LaunchTest, Limits) {
  SKIP_WITHOUT_NAMESPACES();
  EXPECT_EQ(Shell({"--write", Path("work"), "--folder", Path("work"), "--file-size", "1000"},
                  "exec dd if=/dev/zero of=big bs=2000 count=1")
                .signal,
            SIGXFSZ);
  EXPECT_EQ(Shell({"--cpu", "1"}, "while :; do :; done").signal, SIGXCPU);
  EXPECT_THAT(Shell({"--memory", "50000000"}, "ulimit -v").standard_output, StartsWith("48828\n"));
}

// The worker is killed: nothing that it has started goes on.
TEST_F(LaunchTest, EndsWithWhoStartedIt) {
  SKIP_WITHOUT_NAMESPACES();
  Pipe said = MakePipe().value();
  const pid_t worker = fork();
  if (worker == 0) {
    SubprocessOptions options;
    options.standard_output_file = absl::StrCat("/proc/self/fd/", said.write.get());
    static_cast<void>(
        LaunchProcess({TUNE_BINARY_DIR "/bin/tune-sandbox", "--", "/bin/sh", "-c",
                       "(setsid sh -c 'trap : TERM HUP; while :; do sleep 1; done') & echo ready; "
                       "sleep 1000"},
                      options));
    pause();
  }
  said.write.Close();
  char text[6];
  ASSERT_EQ(read(said.read.get(), text, sizeof text), 6);
  ASSERT_EQ(kill(worker, SIGKILL), 0);
  EXPECT_EQ(waitpid(worker, nullptr, 0), worker);
  // All of them hold the stream.
  pollfd end = {said.read.get(), 0, 0};
  EXPECT_EQ(poll(&end, 1, 10'000), 1);
  EXPECT_EQ(end.revents, POLLHUP);
}

TEST_F(LaunchTest, WithoutNamespacesLimitsAndCallsRemain) {
  EXPECT_EQ(
      Shell({"--no-namespaces", "--calls", "program"}, "test -e " + Path("file") + " && exit 42").exit_code,
      42);
  EXPECT_EQ(Shell({"--no-namespaces", "--calls", "program"}, "exit 126").exit_code, 127);
  EXPECT_EQ(Shell({"--no-namespaces", "--calls", "program"}, "setsid true").exit_code, 1);
  EXPECT_EQ(Shell({"--no-namespaces", "--cpu", "1"}, "while :; do :; done").signal, SIGXCPU);
}

}  // namespace
}  // namespace tune
