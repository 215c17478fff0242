// What happens to machines, networks and disks while a study runs: it ends with the candidates, outcomes and
// times of an undisturbed one, so nothing that was acknowledged is lost.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "tests/end_to_end/relay.h"
#include "tests/end_to_end/steady_study.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

// "503" of http://127.0.0.1:PORT/readyz.
std::string ReadyStatus(const std::string& page) {
  int port = 0;
  const std::string host = page.substr(0, page.rfind('/'));
  if (!absl::SimpleAtoi(host.substr(host.rfind(':') + 1), &port)) return "no port in " + page;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string answer = "nobody answers";
  const std::string request = "GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n";
  if (connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      send(client, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
    char bytes[256] = {};
    if (recv(client, bytes, sizeof(bytes) - 1, MSG_WAITALL) > 12) answer = std::string(bytes + 9, 3);
  }
  close(client);
  return answer;
}

char StateOf(pid_t process) {
  const std::string stat = ReadFile(absl::StrCat("/proc/", process, "/stat")).value_or("");
  const size_t name_end = stat.rfind(") ");
  return name_end == std::string::npos ? '?' : stat[name_end + 2];
}

class FaultsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { expected_ = UndisturbedHistory("ants"); }

  void Start(const std::string& worker_address = "") {
    page_ = installation_.StartServerWithPage();
    // There is time for a fault in the middle.
    std::vector<std::string> options = {"--evaluation-time", "150000"};
    if (!worker_address.empty()) options.insert(options.end(), {"--server", worker_address});
    installation_.StartWorker(SteadyWorker(), options);
    study_ = installation_.Submit(SteadyArguments("ants"))[0];
    AwaitEvaluated(4);
  }
  int Evaluated() { return installation_.TunectlJson({"show", study_}).value("evaluated", 0); }
  void AwaitEvaluated(int count) {
    ASSERT_TRUE(WaitUntil([&] { return Evaluated() >= count; }, 60)) << Evaluated();
  }
  void AwaitReady(const std::string& status) {
    ASSERT_TRUE(WaitUntil([&] { return ReadyStatus(page_) == status; }, 60)) << ReadyStatus(page_);
  }
  // The server's log tells it.
  void AwaitLog(const std::string& text) {
    ASSERT_TRUE(WaitUntil([&] { return absl::StrContains(Log(), text); }, 60)) << text;
  }
  std::string Log() const { return ReadFile(installation_.path("server.log")).value_or(""); }
  void ExpectUndisturbed() {
    EXPECT_EQ(installation_.WaitForEnd(study_).value("state", ""), "done");
    EXPECT_EQ(History(installation_, study_), expected_);
  }
  // The database with its log files, from one place to another.
  void MoveDatabase(const std::string& from, const std::string& to) {
    for (const char* part : {"", "-wal", "-shm"}) {
      if (fs::exists(from + part)) fs::rename(from + part, to + part);
    }
  }

  static std::string expected_;
  Installation installation_;
  const std::string database_ = installation_.path("tuned.db");
  std::string page_, study_;
};

std::string FaultsTest::expected_;

TEST_F(FaultsTest, APartitionHoldsTheStudyUpAndNoMore) {
  Relay relay(installation_.path("relay.sock"), installation_.socket());
  Start("unix:" + installation_.path("relay.sock"));
  relay.Cut();
  ASSERT_TRUE(WaitUntil([&] { return relay.HoldsSomething(); }, 60));
  const int evaluated = Evaluated();
  EXPECT_LT(evaluated, kSteadyEvaluations);
  EXPECT_EQ(ReadyStatus(page_), "200") << "the server is well";
  relay.Mend();
  ExpectUndisturbed();
}

// What was on the way is gone; whether the server has had it the worker does not know.
TEST_F(FaultsTest, APartitionThatBreaksConnections) {
  Relay relay(installation_.path("relay.sock"), installation_.socket());
  Start("unix:" + installation_.path("relay.sock"));
  for (const int evaluated : {6, 10, 14}) {
    relay.Cut();
    ASSERT_TRUE(WaitUntil([&] { return relay.HoldsSomething(); }, 60));
    relay.Break();
    relay.Mend();
    AwaitEvaluated(evaluated);
  }
  ExpectUndisturbed();
}

TEST_F(FaultsTest, AStoppedWorkerGoesOn) {
  Start();
  const pid_t worker = installation_.worker->pid();
  installation_.worker->Signal(SIGSTOP);
  ASSERT_TRUE(WaitUntil([&] { return StateOf(worker) == 'T'; }, 60));
  EXPECT_LT(Evaluated(), kSteadyEvaluations);
  installation_.worker->Signal(SIGCONT);
  ExpectUndisturbed();
}

// Longer than the shortest pause that counts: the server notices that it stood still.
TEST_F(FaultsTest, AStoppedServerGoesOn) {
  Start();
  const pid_t server = installation_.server->pid();
  installation_.server->Signal(SIGSTOP);
  ASSERT_TRUE(WaitUntil([&] { return StateOf(server) == 'T'; }, 60));
  const absl::Time stopped = absl::Now();
  ASSERT_TRUE(WaitUntil([&] { return absl::Now() - stopped > absl::Seconds(6); }, 60));
  installation_.server->Signal(SIGCONT);
  AwaitLog("this server stood still for");
  ExpectUndisturbed();
  const Json worker = installation_.TunectlJson({"workers"})[0];
  EXPECT_EQ(worker.value("refused", -1), 0);
}

// The limit of a file's size stands for a full disk: writes fail, and work again.
TEST_F(FaultsTest, AFullDiskIsEmptied) {
  Start();
  const rlimit full = {4096, RLIM_INFINITY}, empty = {RLIM_INFINITY, RLIM_INFINITY};
  rlimit before;
  ASSERT_EQ(prlimit(installation_.server->pid(), RLIMIT_FSIZE, nullptr, &before), 0);
  if (before.rlim_max != RLIM_INFINITY) GTEST_SKIP() << "the size of files is limited here";
  ASSERT_EQ(prlimit(installation_.server->pid(), RLIMIT_FSIZE, &full, nullptr), 0);
  AwaitReady("503");
  AwaitLog("will send it again");
  const int evaluated = Evaluated();
  EXPECT_LT(evaluated, kSteadyEvaluations);
  EXPECT_FALSE(
      installation_.Tunectl({"submit", TUNE_SOURCE_DIR "/tests/end_to_end/small.c", "--fresh", "--no-wait"})
          .ok());
  EXPECT_EQ(Evaluated(), evaluated) << "nothing is acknowledged meanwhile";
  ASSERT_EQ(prlimit(installation_.server->pid(), RLIMIT_FSIZE, &empty, nullptr), 0);
  AwaitReady("200");
  ExpectUndisturbed();
}

TEST_F(FaultsTest, ADatabaseThatWasMovedComesBack) {
  Start();
  MoveDatabase(database_, installation_.path("elsewhere.db"));
  AwaitReady("503");
  AwaitLog("will send it again");
  MoveDatabase(installation_.path("elsewhere.db"), database_);
  AwaitReady("200");
  ExpectUndisturbed();
}

// Another file has come in its place; the copy that the server made is put back, by hand.
TEST_F(FaultsTest, ADatabaseThatWasSwappedIsRescued) {
  Start();
  MoveDatabase(database_, installation_.path("elsewhere.db"));
  ASSERT_TRUE(WriteFile(database_, "not a database").ok());
  AwaitReady("503");
  AwaitLog(".rescued-");
  installation_.server->Kill();
  fs::remove(database_);
  MoveDatabase(database_ + ".rescued-1", database_);
  page_ = installation_.StartServerWithPage();
  AwaitReady("200");
  ExpectUndisturbed();
}

TEST_F(FaultsTest, ADatabaseThatWasDeletedIsRescued) {
  Start();
  for (const char* part : {"", "-wal", "-shm"}) fs::remove(database_ + part);
  AwaitReady("503");
  AwaitLog(".rescued-");
  installation_.server->Kill();
  MoveDatabase(database_ + ".rescued-1", database_);
  page_ = installation_.StartServerWithPage();
  AwaitReady("200");
  ExpectUndisturbed();
}

}  // namespace
}  // namespace tune
