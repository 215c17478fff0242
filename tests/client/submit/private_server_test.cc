#include "client/submit/private_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstring>

#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// Listens where it is told, says so on its descriptor, and runs until SIGTERM; writes its pid to a file.
constexpr char kFakeServer[] = R"(#!/usr/bin/env python3
import os, signal, socket, sys, time
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
path = options["--listen"][len("unix:"):]
s = socket.socket(socket.AF_UNIX)
s.bind(path)
s.listen(8)
with open(os.path.join(os.path.dirname(options["--database"]), "server.pids"), "a") as f:
    f.write("%d\n" % os.getpid())
os.write(int(options["--ready-fd"]), b"1")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
while True:
    time.sleep(100)
)";

class PrivateServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.folder = folder_.path() + "/data";
    options_.server_program = Script("server", kFakeServer);
    options_.worker_program =
        Script("worker", "#!/bin/sh\necho $$ >> " + options_.folder +
                             "/worker.pids\necho worker \"$@\" $TMPDIR\nexec sleep 1000\n");
    options_.start_limit = absl::Seconds(20);
  }
  std::string Script(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_TRUE(WriteFile(path, text).ok());
    chmod(path.c_str(), 0755);
    return path;
  }
  std::vector<pid_t> Pids(const std::string& name) {
    std::vector<pid_t> pids;
    const auto text = ReadFile(options_.folder + "/" + name);
    if (!text.ok()) return pids;
    for (const auto line : absl::StrSplit(*text, '\n', absl::SkipEmpty()))
      pids.push_back(atoi(std::string(line).c_str()));
    return pids;
  }
  // Bounded waiting for another process.
  template <typename Done>
  static bool Eventually(Done done) {
    for (int i = 0; i < 1000; ++i) {
      if (done()) return true;
      absl::SleepFor(absl::Milliseconds(10));
    }
    return false;
  }
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  PrivateServer::Options options_;
};

TEST_F(PrivateServerTest, StartsBothAndStopsThem) {
  {
    const auto server = PrivateServer::Start(options_);
    ASSERT_TRUE(server.ok()) << server.status();
    EXPECT_TRUE((*server)->started_server());
    EXPECT_THAT((*server)->address(), EndsWith("/data/server.sock"));
    EXPECT_TRUE(SocketAnswers(PrivateSocket(options_.folder)));
    ASSERT_TRUE(Eventually([&] { return Pids("worker.pids").size() == 1; }));
    EXPECT_TRUE(Eventually([&] {
      return ReadFile((*server)->worker_log()).value() ==
             "worker --server " + (*server)->address() + " --cache " + options_.folder +
                 "/cache --unsafe-no-sandbox " + options_.folder + "/tmp\n";
    }));
  }
  EXPECT_FALSE(SocketAnswers(PrivateSocket(options_.folder)));
  EXPECT_NE(kill(Pids("server.pids")[0], 0), 0);
  EXPECT_NE(kill(Pids("worker.pids")[0], 0), 0);
}

TEST_F(PrivateServerTest, SecondOneSharesTheFirst) {
  auto first = PrivateServer::Start(options_);
  auto second = PrivateServer::Start(options_);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE((*second)->started_server());
  EXPECT_EQ(Pids("server.pids").size(), 1u);
  ASSERT_TRUE(Eventually([&] { return Pids("worker.pids").size() == 1; }));
  // The first goes away: the second starts both again.
  first->reset();
  ASSERT_TRUE((*second)->Maintain().ok());
  EXPECT_TRUE((*second)->started_server());
  EXPECT_EQ(Pids("server.pids").size(), 2u);
  EXPECT_TRUE(Eventually([&] { return Pids("worker.pids").size() == 2; }));
}

TEST_F(PrivateServerTest, StaleSocketDoesNotMatter) {
  ASSERT_TRUE(MakeFolder(options_.folder).ok());
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, PrivateSocket(options_.folder).c_str());
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  close(fd);  // the file stays, nobody listens
  EXPECT_FALSE(SocketAnswers(PrivateSocket(options_.folder)));
  EXPECT_TRUE(PrivateServer::Start(options_).ok());
}

TEST_F(PrivateServerTest, KilledServerAndWorkerAreStartedAgain) {
  const auto server = PrivateServer::Start(options_);
  ASSERT_TRUE(server.ok()) << server.status();
  ASSERT_TRUE(Eventually([&] { return Pids("worker.pids").size() == 1; }));
  kill(Pids("server.pids")[0], SIGKILL);
  kill(Pids("worker.pids")[0], SIGKILL);
  EXPECT_TRUE(Eventually([&] { return (*server)->Maintain().ok() && Pids("server.pids").size() == 2; }));
  EXPECT_TRUE(Eventually([&] { return (*server)->Maintain().ok() && Pids("worker.pids").size() == 2; }));
  EXPECT_TRUE(SocketAnswers(PrivateSocket(options_.folder)));
}

TEST_F(PrivateServerTest, ServerThatEndsAtOnceShowsItsLog) {
  options_.server_program = Script("server", "#!/bin/sh\necho the disk is full >&2\nexit 7\n");
  const auto server = PrivateServer::Start(options_);
  EXPECT_EQ(server.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(server.status().message()), HasSubstr("tuned-server.log"));
  EXPECT_THAT(std::string(server.status().message()), HasSubstr("the disk is full"));
}

TEST_F(PrivateServerTest, WorkerThatKeepsEndingIsAnError) {
  options_.worker_program = Script("worker", "#!/bin/sh\necho no compiler\nexit 1\n");
  const auto server = PrivateServer::Start(options_);
  ASSERT_TRUE(server.ok());
  absl::Status status;
  EXPECT_TRUE(Eventually([&] { return !(status = (*server)->Maintain()).ok(); }));
  EXPECT_THAT(std::string(status.message()), HasSubstr("keeps ending"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("no compiler"));
}

TEST_F(PrivateServerTest, ProgramThatIsNotThere) {
  options_.server_program = folder_.path() + "/none";
  EXPECT_THAT(std::string(PrivateServer::Start(options_).status().message()), HasSubstr("cannot run"));
}

TEST_F(PrivateServerTest, ChildrenDieWithAProcessThatIsKilled) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto server = PrivateServer::Start(options_);
    const char byte = server.ok() ? '1' : '0';
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, '1');
  ASSERT_TRUE(Eventually([&] { return Pids("worker.pids").size() == 1; }));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  // Locks are free once the children are gone, and a new one starts over the stale socket.
  EXPECT_TRUE(Eventually([&] {
    return FileLock::Try(options_.folder + "/server.lock").ok() &&
           FileLock::Try(options_.folder + "/worker.lock").ok();
  }));
  EXPECT_TRUE(PrivateServer::Start(options_).ok());
  close(ready[0]);
  close(ready[1]);
}

TEST(PrivateSocketTest, LongFoldersGetAShortPath) {
  const std::string folder(200, 'x');
  const std::string path = PrivateSocket("/" + folder);
  EXPECT_LT(path.size(), sizeof(sockaddr_un::sun_path));
  EXPECT_EQ(path, PrivateSocket("/" + folder));
  EXPECT_NE(path, PrivateSocket("/" + folder + "y"));
  EXPECT_EQ(PrivateSocket("/a"), "/a/server.sock");
}

TEST(FileLockTest, OneHolderAtATime) {
  const auto folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/lock";
  {
    const auto lock = FileLock::Try(path);
    ASSERT_TRUE(lock.ok());
    EXPECT_EQ(FileLock::Try(path).status().code(), absl::StatusCode::kUnavailable);
  }
  EXPECT_TRUE(FileLock::Try(path).ok());
  EXPECT_EQ(FileLock::Try(folder.path() + "/none/lock").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(BackgroundProcessTest, IgnoredSigtermBecomesSigkill) {
  const auto folder = TemporaryFolder::Make().value();
  const std::string log = folder.path() + "/log";
  auto process = BackgroundProcess::Start(
      {{"/bin/sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done"}, log, {}, {}});
  ASSERT_TRUE(process.ok());
  for (int i = 0; i < 1000 && LogTail(log, 1) != "up"; ++i) absl::SleepFor(absl::Milliseconds(10));
  ASSERT_EQ(LogTail(log, 1), "up");
  EXPECT_TRUE((*process)->Running());
  EXPECT_EQ((*process)->Ending(), "");
  (*process)->Stop(absl::Milliseconds(50));
  EXPECT_FALSE((*process)->Running());
  EXPECT_THAT((*process)->Ending(), HasSubstr("signal 9"));
}

}  // namespace
}  // namespace tune
