#include "common/base/subprocess.h"

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "common/base/file.h"
#include "common/base/file_descriptor.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

SubprocessResult Shell(const std::string& script, SubprocessOptions options = {}) {
  auto result = RunSubprocess({"sh", "-c", script}, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : SubprocessResult{};
}

int OpenDescriptors() {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

// The process is gone, or a zombie that its new parent has not collected. SIGKILL takes effect a little
// after kill() returned, hence the patience.
bool EndsSoon(int process) {
  const std::string path = "/proc/" + std::to_string(process) + "/stat";
  for (int i = 0; i < 10000; ++i) {
    const auto stat = ReadFile(path);
    if (!stat.ok() || stat->find(") Z") != std::string::npos) return true;
    usleep(1000);
  }
  return false;
}

TEST(SubprocessTest, CollectsOutputAndStatus) {
  const SubprocessResult result = Shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.standard_output, "out\n");
  EXPECT_EQ(result.standard_error, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.Describe(), "exited with status 3");
}

TEST(SubprocessTest, FeedsStandardInputLargerThanAPipe) {
  SubprocessOptions options;
  options.standard_input = std::string(1 << 20, 'x');
  EXPECT_EQ(Shell("wc -c | tr -d ' '", options).standard_output, "1048576\n");
}

TEST(SubprocessTest, ChildThatDoesNotReadItsInputIsNoError) {
  SubprocessOptions options;
  options.standard_input = std::string(1 << 20, 'x');
  EXPECT_TRUE(Shell("exec 0<&-; exit 0", options).ok());
}

TEST(SubprocessTest, WithoutInputTextReadsNothing) { EXPECT_EQ(Shell("cat").standard_output, ""); }

TEST(SubprocessTest, KeepsTheTailOfEachStream) {
  SubprocessOptions options;
  options.output_limit_bytes = 10;
  const SubprocessResult result = Shell("seq 1 100000; seq 1 50000 >&2", options);
  EXPECT_EQ(result.standard_output, "99\n100000\n");
  EXPECT_EQ(result.standard_error, "999\n50000\n");
}

TEST(SubprocessTest, StandardOutputGoesToAFile) {
  auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder.ok());
  SubprocessOptions options;
  options.standard_output_file = folder->path() + "/out";
  EXPECT_EQ(Shell("seq 1 3", options).standard_output, "");
  EXPECT_EQ(*ReadFile(folder->path() + "/out"), "1\n2\n3\n");
}

TEST(SubprocessTest, AddsToTheEnvironmentAndChangesFolder) {
  SubprocessOptions options;
  options.environment = {"TUNE_TEST_VALUE=a b", "HOME=/nowhere"};
  options.folder = "/";
  EXPECT_EQ(Shell("echo \"$TUNE_TEST_VALUE $HOME $(pwd)\"", options).standard_output, "a b /nowhere /\n");
}

// As a command in CC or a folder in PATH may be given.
TEST(SubprocessTest, RelativeProgramIsFoundFromThisFolder) {
  auto folder = TemporaryFolder::Make();
  const std::string program = folder->path() + "/tell";
  ASSERT_TRUE(WriteFile(program, "#!/bin/sh\necho \"$(pwd)\"\n").ok());
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  SubprocessOptions options;
  options.folder = folder->path() + "/so/deep/that/no/way/up/leads/to/the/root";
  ASSERT_TRUE(MakeFolder(options.folder).ok());
  const auto result = RunSubprocess({std::filesystem::relative(program)}, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->standard_output, options.folder + "\n");
}

TEST(SubprocessTest, NamesTheSignal) {
  const SubprocessResult result = Shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.Describe(), "was killed by signal 11 (Segmentation fault)");
}

TEST(SubprocessTest, WallLimitKillsTheWholeGroup) {
  auto folder = TemporaryFolder::Make();
  SubprocessOptions options;
  options.wall_limit = absl::Milliseconds(200);
  options.folder = folder->path();
  const SubprocessResult result = Shell("sleep 1000 & echo $! > pid; wait", options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_THAT(result.Describe(), HasSubstr("ran out of time after"));
  EXPECT_TRUE(EndsSoon(std::stoi(*ReadFile(folder->path() + "/pid"))));
}

TEST(SubprocessTest, GrandchildThatHoldsThePipeDoesNotBlock) {
  const SubprocessResult result = Shell("sleep 1000 & echo done");
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.standard_output, "done\n");
}

TEST(SubprocessTest, CpuLimitIsATimeout) {
  SubprocessOptions options;
  options.cpu_limit = absl::Seconds(1);
  options.wall_limit = absl::Seconds(60);
  const SubprocessResult result = Shell("while :; do :; done", options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGXCPU);
}

TEST(SubprocessTest, FileLimit) {
  auto folder = TemporaryFolder::Make();
  SubprocessOptions options;
  options.folder = folder->path();
  options.file_limit_bytes = 1 << 20;
  EXPECT_FALSE(Shell("exec head -c 4000000 /dev/zero > big", options).ok());
  EXPECT_LE(std::filesystem::file_size(folder->path() + "/big"), 1u << 20);
}

TEST(SubprocessTest, MemoryLimit) {
  SubprocessOptions options;
  options.memory_limit_bytes = 200 << 20;
  EXPECT_TRUE(Shell("exec head -c 1000000 /dev/zero > /dev/null", options).ok());
  EXPECT_FALSE(Shell("exec dd if=/dev/zero of=/dev/null bs=500M count=1", options).ok());
}

TEST(SubprocessTest, Cancelled) {
  std::atomic<int> polls{0};
  SubprocessOptions options;
  options.cancelled = [](void* argument) { return ++*static_cast<std::atomic<int>*>(argument) >= 3; };
  options.cancelled_argument = &polls;
  const SubprocessResult result = Shell("exec sleep 1000", options);
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.Describe(), "was cancelled");
}

TEST(SubprocessTest, UnknownProgram) {
  EXPECT_EQ(RunSubprocess({"no-such-program-anywhere"}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(RunSubprocess({"/no/such/program"}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(RunSubprocess({}).ok());
  SubprocessOptions options;
  options.folder = "/no/such/folder";
  const auto result = RunSubprocess({"true"}, options);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("/no/such/folder"));
}

TEST(SubprocessTest, ChildInheritsNoDescriptors) {
  const int leaked = dup(0);
  EXPECT_EQ(Shell("ls /proc/self/fd | wc -l").standard_output, "4\n");  // 0, 1, 2 and ls's own
  close(leaked);
}

TEST(SubprocessTest, ChildHasTheDescriptorsThatItIsGiven) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ASSERT_TRUE(WriteFile(folder.path() + "/file", "content").ok());
  const FileDescriptor given(open((folder.path() + "/file").c_str(), O_RDONLY | O_CLOEXEC));
  SubprocessOptions options;
  options.inherited = {given.get()};
  EXPECT_EQ(Shell("cat /dev/fd/" + std::to_string(given.get()), options).standard_output, "content");
}

TEST(SubprocessTest, ManyThreadsLeakNothing) {
  Shell("true");
  const int before = OpenDescriptors();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t, &good] {
      for (int i = 0; i < 20; ++i) {
        SubprocessOptions options;
        options.standard_input = std::to_string(t * 100 + i);
        const auto result = RunSubprocess({"cat"}, options);
        if (result.ok() && result->ok() && result->standard_output == options.standard_input) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 160);
  EXPECT_EQ(OpenDescriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no child is left
}

TEST(SubprocessTest, DiesWithItsParent) {
  auto folder = TemporaryFolder::Make();
  const std::string pid_file = folder->path() + "/pid";
  const pid_t parent = fork();
  if (parent == 0) {
    (void)RunSubprocess(
        {"sh", "-c",
         "echo $$ > " + pid_file + ".new; mv " + pid_file + ".new " + pid_file + "; exec sleep 1000"});
    _exit(0);
  }
  absl::StatusOr<std::string> pid = absl::NotFoundError("");
  while (!(pid = ReadFile(pid_file)).ok()) usleep(1000);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(EndsSoon(std::stoi(*pid)));
}

TEST(SubprocessTest, AWholeEnvironmentIsAllThereIs) {
  setenv("TUNE_TEST_SECRET", "secret", 1);
  SubprocessOptions options;
  options.whole_environment = true;
  options.environment = {"A=first", "A=last", "B=b"};
  const auto result = RunSubprocess({"env"}, options);
  unsetenv("TUNE_TEST_SECRET");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->standard_output, "A=last\nB=b\n");
}

TEST(FindSiblingProgramTest, EnvironmentOverridesTheFolder) {
  setenv("TUNE_LIBEXEC", "/bin", 1);
  EXPECT_EQ(*FindSiblingProgram("sh"), "/bin/sh");
  EXPECT_EQ(FindSiblingProgram("no-such-program").status().code(), absl::StatusCode::kNotFound);
  unsetenv("TUNE_LIBEXEC");
  EXPECT_THAT(*FindSiblingProgram("common_base_test"), HasSubstr("/tests/common_base_test"));
}

TEST(Subprocess, YieldsTheProcessor) {
  SubprocessOptions options;
  const auto usual = RunSubprocess({"nice"}, options);
  options.niceness = 3;
  const auto nicer = RunSubprocess({"nice"}, options);
  ASSERT_TRUE(usual.ok() && nicer.ok());
  EXPECT_EQ(std::stoi(nicer->standard_output), std::min(19, std::stoi(usual->standard_output) + 3));
}

}  // namespace
}  // namespace tune
