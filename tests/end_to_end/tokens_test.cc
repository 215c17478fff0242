// Who may call the real programs over TCP.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// A server on a free port of loopback, whose user's data are in the installation's folder.
class Tokens : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<Daemon> started =
        Daemon::Start({"/usr/bin/env", "-u", "TUNE_TOKEN_FILE", "XDG_DATA_HOME=" + data_,
                       Program("tuned-server"), "--listen", "127.0.0.1:0", "--http", "none"},
                      log_);
    ASSERT_TRUE(started.ok()) << started.status();
    server_ = *std::move(started);
    ASSERT_TRUE(WaitUntil([&] { return !Told(" ready on ").empty(); }, 30)) << ReadFile(log_).value_or("");
  }
  // What the server's log has behind the words, to the end of the line.
  std::string Told(const std::string& words) const {
    const std::string log = ReadFile(log_).value_or("");
    const size_t found = log.find(words);
    if (found == std::string::npos) return "";
    const size_t begin = found + words.size(), end = log.find('\n', begin);
    return end == std::string::npos ? "" : log.substr(begin, end - begin);
  }
  // As the server's user, or as one of whom only `data` is known.
  SubprocessResult Tunectl(const std::vector<std::string>& arguments, const std::string& data) const {
    std::vector<std::string> argv = {
        "/usr/bin/env",     "-u",       "TUNE_TOKEN_FILE", "XDG_DATA_HOME=" + data,
        Program("tunectl"), "--server", Told(" ready on ")};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return RunSubprocess(argv, {}).value();
  }

  const Installation folder_;
  const std::string data_ = folder_.path("data"), log_ = folder_.path("server.log");
  std::optional<Daemon> server_;
};

TEST_F(Tokens, OneIsMadeThatItsUserAloneFinds) {
  const std::string file = data_ + "/tuned-server/tuned.db.token";
  EXPECT_THAT(ReadFile(log_).value(), HasSubstr("tokens: " + file));
  struct stat info;
  ASSERT_EQ(stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(Tunectl({"ls"}, data_).exit_code, 0);
  const SubprocessResult stranger = Tunectl({"ls"}, folder_.path("elsewhere"));
  EXPECT_EQ(stranger.exit_code, 1);
  EXPECT_THAT(stranger.standard_error, HasSubstr("demands a token"));
}

TEST_F(Tokens, AClientsIsNoWorkers) {
  const std::string alice = folder_.path("alice"), node = folder_.path("node");
  ASSERT_EQ(Tunectl({"token", "add", "client", "alice", "--output", alice}, data_).exit_code, 0);
  ASSERT_EQ(Tunectl({"token", "add", "worker", "node7", "--output", node}, data_).exit_code, 0);
  EXPECT_EQ(Tunectl({"ls", "--token-file", alice}, folder_.path("elsewhere")).exit_code, 0);
  const SubprocessResult reads = Tunectl({"ls", "--token-file", node}, folder_.path("elsewhere"));
  EXPECT_EQ(reads.exit_code, 1);
  EXPECT_THAT(reads.standard_error, HasSubstr("worker 'node7' does not do for StateService.ListStudies"));
  Daemon worker = Daemon::Start({Program("tune-worker"), "--server", Told(" ready on "), "--token-file",
                                 alice, "--devices", "none", "--cache", folder_.path("cache")},
                                folder_.path("worker.log"))
                      .value();
  EXPECT_EQ(worker.Wait(), 1);
  EXPECT_THAT(ReadFile(folder_.path("worker.log")).value(),
              HasSubstr("client 'alice' does not do for WorkerService"));
  ASSERT_EQ(Tunectl({"token", "revoke", "alice"}, data_).exit_code, 0);
  EXPECT_EQ(Tunectl({"ls", "--token-file", alice}, folder_.path("elsewhere")).exit_code, 1);
}

}  // namespace
}  // namespace tune
