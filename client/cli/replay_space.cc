#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "client/cli/commands.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

// The strategies are the server's: this program becomes the one that has them.
absl::StatusOr<int> RunReplaySpace(Session& session, std::vector<std::string> arguments) {
  TUNE_ASSIGN_OR_RETURN(const std::string program, FindSiblingProgram("tune-replay-space"));
  if (session.options.json) arguments.push_back("--json");
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  session.out().flush();
  execv(program.c_str(), argv.data());
  return absl::UnavailableError(absl::StrCat(program, ": cannot be started: ", std::strerror(errno)));
}

}  // namespace

void AddReplaySpace(CLI::App& app, Session& session) {
  CLI::App* verb = AddVerb(
      app, session, "replay-space", "Run search strategies on a recorded space, without a server or a device",
      "  tunectl replay-space gemm.json.gz --strategy ants uniform --budget 200 --seeds 1..30\n"
      "  tunectl replay-space lab.tune --study s3       studies that `tunectl export` wrote\n"
      "  tunectl replay-space --help                    all options\n",
      "each run's best time after each evaluation, and summaries");
  verb->prefix_command();
  verb->set_help_flag();
  verb->callback([&session, verb] {
    session.command = [&session, verb] { return RunReplaySpace(session, verb->remaining()); };
  });
}

}  // namespace tune
