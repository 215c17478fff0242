#include "worker/sandbox/control_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "common/base/file.h"
#include "tests/worker/sandbox/escape_attempts.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A folder that stands in for the kernel's: what is done to it is in `journal`, paths below `root`.
class FakeControlFiles : public ControlFiles {
 public:
  explicit FakeControlFiles(std::string root) : root_(std::move(root)) {}

  absl::Status Write(const std::string& file, absl::string_view text) override {
    journal.push_back(absl::StrCat(Short(file), " = ", text));
    if (Short(file) == refused)
      return absl::UnavailableError(absl::StrCat(file, ": Device or resource busy"));
    return ControlFiles::Write(file, text);
  }
  absl::Status MakeGroup(const std::string& folder) override {
    journal.push_back("make " + Short(folder));
    TUNE_RETURN_IF_ERROR(ControlFiles::MakeGroup(folder));
    Fill(folder);
    return absl::OkStatus();
  }
  absl::Status RemoveGroup(const std::string& folder) override {
    journal.push_back("remove " + Short(folder));
    if (busy-- > 0) return absl::UnavailableError(folder + ": Device or resource busy");
    std::filesystem::remove_all(folder);
    return absl::OkStatus();
  }
  bool Writable(const std::string& path) override {
    return Short(path) != read_only && ControlFiles::Writable(path);
  }

  static void Fill(const std::string& folder) {
    for (const char* name : {"cgroup.procs", "cgroup.subtree_control", "cgroup.kill", "memory.max",
                             "memory.swap.max", "memory.events", "pids.max", "cpu.max"}) {
      ASSERT_TRUE(WriteFile(absl::StrCat(folder, "/", name), "").ok());
    }
  }

  std::vector<std::string> journal;
  std::string refused, read_only;  // file whose writing fails; path that is not the user's
  int busy = 0;                    // so many removals fail

 private:
  std::string Short(const std::string& path) const {
    return path == root_ ? "." : path.substr(root_.size() + 1);
  }

  const std::string root_;
};

constexpr pid_t kSelf = 4711;

class ControlGroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(MakeFolder(Own("")).ok());
    FakeControlFiles::Fill(Own(""));
    Put("own/lab.service/cgroup.controllers", "cpuset cpu io memory pids\n");
    Put("own/lab.service/cgroup.procs", absl::StrCat(kSelf, "\n"));
    Put("groups", "9:memory:/elsewhere\n0::/lab.service\n");
    Put("mounts",
        absl::StrCat("31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n40 31 0:37 / /v1 rw - cgroup cgroup "
                     "rw,memory\n41 31 0:38 / ",
                     folder_.path(), "/own rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"));
  }
  void TearDown() override {
    UseControlGroups(nullptr);
    unsetenv("TUNE_SANDBOX_NAMESPACES");
  }

  std::string Own(const std::string& name) const { return folder_.path() + "/own/lab.service" + name; }
  void Put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFile(absl::StrCat(folder_.path(), "/", name), text).ok());
  }
  absl::StatusOr<std::unique_ptr<DelegatedGroup>> Take() {
    return DelegatedGroup::Take({folder_.path() + "/groups", folder_.path() + "/mounts", kSelf}, &files_);
  }
  std::string Refusal() {
    const absl::Status status = Take().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    return std::string(status.message());
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  FakeControlFiles files_{folder_.path() + "/own/lab.service"};
};

TEST_F(ControlGroupTest, TheDaemonLeavesItsGroupBeforeItIsDivided) {
  const auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  EXPECT_EQ((*delegated)->folder(), Own(""));
  EXPECT_THAT(files_.journal, ElementsAre("make daemon", "daemon/cgroup.procs = 4711",
                                          "cgroup.subtree_control = +memory +pids +cpu"));
}

TEST_F(ControlGroupTest, ARunHasLimitsAndNothingIsLeftOfIt) {
  const auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  files_.journal.clear();
  files_.busy = 2;  // what is killed is not gone at once
  { EXPECT_TRUE((*delegated)->MakeRun({int64_t{1} << 30, 64, 2}).ok()); }
  EXPECT_THAT(files_.journal, ElementsAre("make run-4711-1", "run-4711-1/memory.max = 1073741824",
                                          "run-4711-1/memory.swap.max = 0", "run-4711-1/pids.max = 64",
                                          "run-4711-1/cpu.max = 200000 100000", "run-4711-1/cgroup.kill = 1",
                                          "remove run-4711-1", "remove run-4711-1", "remove run-4711-1"));
  EXPECT_FALSE(std::filesystem::exists(Own("/run-4711-1")));
}

TEST_F(ControlGroupTest, WhatIsNotAskedForOrNotGivenIsNotLimited) {
  Put("own/lab.service/cgroup.controllers", "memory pids\n");
  const auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  EXPECT_EQ(files_.journal.back(), "cgroup.subtree_control = +memory +pids");
  files_.journal.clear();
  { EXPECT_TRUE((*delegated)->MakeRun({0, 0, 2}).ok()); }
  EXPECT_THAT(files_.journal,
              ElementsAre("make run-4711-1", "run-4711-1/cgroup.kill = 1", "remove run-4711-1"));
}

TEST_F(ControlGroupTest, ARunWhoseLimitIsRefusedHasNoGroup) {
  const auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  files_.refused = "run-4711-1/pids.max";
  EXPECT_FALSE((*delegated)->MakeRun({0, 64, 0}).ok());
  EXPECT_FALSE(std::filesystem::exists(Own("/run-4711-1")));
}

TEST_F(ControlGroupTest, NothingIsChangedWhereItIsNotDelegated) {
  files_.read_only = "cgroup.procs";
  EXPECT_EQ(Refusal(), Own("/cgroup.procs is not this user's to write"));
  files_.read_only = ".";
  EXPECT_THAT(Refusal(), HasSubstr("is not this user's to write"));
  files_.read_only = "cgroup.kill";
  EXPECT_THAT(Refusal(), HasSubstr("Linux 5.14"));
  files_.read_only = "";
  Put("own/lab.service/cgroup.procs", "4711\n4712\n");
  EXPECT_EQ(Refusal(), Own(" is also the group of process 4712"));
  Put("own/lab.service/cgroup.controllers", "cpu memory\n");
  EXPECT_EQ(Refusal(), Own(" was not given `pids`"));
  Put("groups", "0::/../lab.service\n");
  EXPECT_THAT(Refusal(), HasSubstr("out of sight"));
  Put("groups", "9:memory:/elsewhere\n");
  EXPECT_EQ(Refusal(), "this process is in no group of cgroup v2");
  Put("groups", "0::/lab.service\n");
  Put("mounts", "40 31 0:37 / /v1 rw - cgroup cgroup rw,memory\n");
  EXPECT_EQ(Refusal(), "no cgroup v2 is mounted");
  EXPECT_THAT(files_.journal, IsEmpty());
}

TEST_F(ControlGroupTest, TheDaemonGoesBackWhenTheKernelRefusesToDivide) {
  files_.refused = "cgroup.subtree_control";
  EXPECT_THAT(Refusal(), HasSubstr("busy"));
  EXPECT_THAT(files_.journal, ElementsAre("make daemon", "daemon/cgroup.procs = 4711",
                                          "cgroup.subtree_control = +memory +pids +cpu",
                                          "cgroup.procs = 4711", "remove daemon"));
}

TEST_F(ControlGroupTest, PartOfTheHierarchyMayBeMounted) {
  Put("groups", "0::/pod/lab.service\n");
  Put("mounts", absl::StrCat("41 31 0:38 /pod ", folder_.path(), "/own rw - cgroup2 cgroup2 rw\n"));
  const auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  EXPECT_EQ((*delegated)->folder(), Own(""));
}

TEST_F(ControlGroupTest, GroupsOfDeadDaemonsAreRemoved) {
  // No process has a number above 2^22; this one lives.
  const std::string living = absl::StrCat("/run-", getpid(), "-1");
  for (const std::string& group : {std::string("/run-4999999-1"), living}) {
    ASSERT_TRUE(MakeFolder(Own(group)).ok());
  }
  ASSERT_TRUE(Take().ok());
  EXPECT_FALSE(std::filesystem::exists(Own("/run-4999999-1")));
  EXPECT_TRUE(std::filesystem::exists(Own(living)));
}

TEST_F(ControlGroupTest, AKilledProcessIsToldFromTheGroupsEvents) {
  const auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  const auto run = (*delegated)->MakeRun({1 << 20, 0, 0});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_FALSE((*run)->OutOfMemory());
  // The machine had no memory left: this group had not reached its limit.
  Put("own/lab.service/run-4711-1/memory.events", "low 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 0\n");
  EXPECT_FALSE((*run)->OutOfMemory());
  Put("own/lab.service/run-4711-1/memory.events", "low 0\nmax 7\noom 1\noom_kill 0\noom_group_kill 0\n");
  EXPECT_FALSE((*run)->OutOfMemory());
  Put("own/lab.service/run-4711-1/memory.events", "low 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 0\n");
  EXPECT_TRUE((*run)->OutOfMemory());
}

// The folder is no group, so that the program cannot be made in it and moves itself, before it is one. The
// first process of a namespace could not: a failed clone3 ends the namespace.
TEST_F(ControlGroupTest, AProgramIsInItsGroupBeforeItRuns) {
  auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  setenv("TUNE_SANDBOX_NAMESPACES", "off", 1);
  const std::string folder = (*delegated)->folder() + "/run-4711-1";
  UseControlGroups(*std::move(delegated));
  SandboxSettings settings;
  settings.readable = {folder_.path()};
  const auto run = RunSandboxed({"cat", folder + "/cgroup.procs", folder + "/pids.max"}, settings, {});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->standard_output, "04096") << run->standard_error;
  EXPECT_EQ(files_.journal.back(), "remove run-4711-1");
}

TEST_F(ControlGroupTest, ADeathForLackOfMemoryIsToldAsThat) {
  auto delegated = Take();
  ASSERT_TRUE(delegated.ok()) << delegated.status();
  setenv("TUNE_SANDBOX_NAMESPACES", "off", 1);
  const std::string events = (*delegated)->folder() + "/run-4711-1/memory.events";
  UseControlGroups(*std::move(delegated));
  SandboxSettings settings;
  settings.writable = {folder_.path()};  // the kernel's part
  settings.group_memory_bytes = int64_t{3} << 20;
  const auto run =
      RunSandboxed({"sh", "-c", "echo oom 1 oom_kill 1 > " + events + "; kill -9 $$"}, settings, {});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->Describe(), "was killed for lack of memory: its processes together may have 3 MiB");
}

// With real groups: systemd-run --user --scope -p Delegate=yes tests/worker_sandbox_test
// --gtest_filter='*RealGroup*'
TEST(RealGroupTest, KernelKeepsTheLimits) {
  static ControlFiles kernel;
  auto delegated = DelegatedGroup::Take({}, &kernel);
  if (!delegated.ok()) GTEST_SKIP() << "no delegated cgroup v2: " << delegated.status().message();
  const std::string folder = (*delegated)->folder();
  UseControlGroups(*std::move(delegated));
  SandboxSettings settings;
  settings.group_memory_bytes = 64 << 20;
  const auto large =
      RunSandboxed({"sh", "-c", "head -c 200m /dev/zero | tail -c 200m > /dev/null; exit 1"}, settings, {});
  ASSERT_TRUE(large.ok()) << large.status();
  EXPECT_EQ(large->exceeded_memory_bytes, 64 << 20) << large->Describe();
  settings.processes = 8;
  const auto many =
      RunSandboxed({"sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 100 & done"}, settings, {});
  ASSERT_TRUE(many.ok()) << many.status();
  EXPECT_THAT(many->standard_error, HasSubstr("fork"));
  UseControlGroups(nullptr);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_THAT(entry.path().filename().string(), ::testing::Not(StartsWith("run-")));
  }
}

}  // namespace
}  // namespace tune
