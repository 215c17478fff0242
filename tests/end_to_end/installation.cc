#include "tests/end_to_end/installation.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace tune {
namespace {

// Peak rates of this machine, which the first worker of the process measures for all.
const std::string& PeaksFolder() {
  static const TemporaryFolder folder = *TemporaryFolder::Make();
  return folder.path();
}

}  // namespace

Installation::Installation() : folder_(*TemporaryFolder::Make()) {}

Installation::~Installation() {
  worker.reset();
  server.reset();
  if (!::testing::Test::HasFailure()) return;
  for (const char* log : {"server.log", "worker.log"}) {
    std::cerr << "--- " << log << "\n" << ReadFile(path(log)).value_or("(none)\n");
  }
}

void Installation::StartServer() { StartServerAs("none", {}); }

std::string Installation::StartServerWithPage(const std::vector<std::string>& options) {
  StartServerAs("127.0.0.1:0", options);
  const std::string log = ReadFile(path("server.log")).value_or("");
  const size_t begin = log.rfind("http://");  // of this start
  EXPECT_NE(begin, std::string::npos) << log;
  return begin == std::string::npos ? "" : log.substr(begin, log.find('\n', begin) - begin);
}

void Installation::StartServerAs(const std::string& http, const std::vector<std::string>& options) {
  std::vector<std::string> argv = {
      Program("tuned-server"), "--listen", address(), "--http", http, "--database", path("tuned.db")};
  argv.insert(argv.end(), options.begin(), options.end());
  absl::StatusOr<Daemon> started = Daemon::Start(argv, path("server.log"));
  ASSERT_TRUE(started.ok()) << started.status();
  server = *std::move(started);
  ASSERT_TRUE(WaitUntil([this] { return Accepts(socket()); }, 30))
      << ReadFile(path("server.log")).value_or("no log");
}

void Installation::StartWorker(const std::string& program, const std::vector<std::string>& options) {
  std::vector<std::string> argv = {program.empty() ? Program("tune-worker") : program, "--cache",
                                   path("cache")};
  const auto has = [&](const char* option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  if (!has("--server")) argv.insert(argv.end(), {"--server", address()});
  if (!has("--name")) argv.insert(argv.end(), {"--name", "tester"});
  std::error_code error;
  std::filesystem::create_directories(path("cache"), error);
  std::filesystem::create_directory_symlink(PeaksFolder(), path("cache/peaks"), error);  // once
  // The tests pass also where the kernel permits no namespaces.
  if (program.empty()) argv.push_back("--unsafe-no-sandbox");
  // The simulated GPU compiles with the simulator's headers.
  if (program.empty()) argv.insert(argv.end(), {"--sandbox-read", TUNE_SOURCE_DIR "/tests"});
  argv.insert(argv.end(), options.begin(), options.end());
  absl::StatusOr<Daemon> started = Daemon::Start(argv, path("worker.log"));
  ASSERT_TRUE(started.ok()) << started.status();
  worker = *std::move(started);
}

SubprocessResult Installation::Tunectl(const std::vector<std::string>& arguments) const {
  std::vector<std::string> argv = {Program("tunectl"), "--server", address()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  SubprocessOptions options;
  options.folder = folder_.path();
  options.wall_limit = absl::Minutes(5);
  options.output_limit_bytes = 64 << 20;
  absl::StatusOr<SubprocessResult> result = RunSubprocess(argv, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *result : SubprocessResult{};
}

Json Installation::TunectlJson(const std::vector<std::string>& arguments) const {
  std::vector<std::string> argv = {"--json"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  const SubprocessResult result = Tunectl(argv);
  EXPECT_TRUE(result.ok()) << result.Describe() << "\n" << result.standard_error;
  Json json = Json::parse(result.standard_output, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << result.standard_output;
  return json;
}

std::vector<std::string> Installation::Submit(const std::vector<std::string>& arguments) const {
  std::vector<std::string> argv = {"submit"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<std::string> ids;
  for (const Json& study : TunectlJson(argv)) ids.push_back(study.value("id", ""));
  return ids;
}

// `watch` waits without asking; the questions after it are for studies that it did not see the end of.
Json Installation::WaitForEnd(const std::string& study, int seconds) const {
  SubprocessOptions options;
  options.folder = folder_.path();
  options.wall_limit = absl::Seconds(seconds);
  options.output_limit_bytes = 64 << 20;
  RunSubprocess({Program("tunectl"), "--server", address(), "watch", study}, options).IgnoreError();
  Json json;
  const bool ended = WaitUntil(
      [&] {
        json = TunectlJson({"show", study});
        const std::string state = json.value("state", "");
        return state == "done" || state == "failed" || state == "stopped";
      },
      seconds);
  EXPECT_TRUE(ended) << study << " is still " << json.value("state", "?") << " after " << seconds << " s";
  return json;
}

std::string Installation::Write(const std::string& name, const std::string& text) const {
  EXPECT_TRUE(WriteFile(path(name), text).ok());
  return path(name);
}

std::string OptionOf(const Json& candidate, const std::string& key) {
  for (const Json& decision : candidate["configuration"])
    if (decision.value("key", "") == key) return decision.value("option", "");
  return "";
}

}  // namespace tune
