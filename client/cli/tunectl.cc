#include "client/cli/tunectl.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "client/cli/commands.h"
#include "client/report/table.h"
#include "client/submit/front_end.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

constexpr char kDescription[] =
    "Tunes C loop nests marked with #pragma scop .. #pragma endscop, or those of a function: submits them to "
    "a "
    "tuned-server, follows the search, and fetches the fastest verified version.";

constexpr char kFooter[] = R"(Examples:
  tunectl tune gemm.c                           tune on this machine, without daemons
  tunectl regions gemm.c                        its loops, and which can be tuned, without any pragma
  tunectl tune gemm.c --function main           tune those of a function
  tunectl submit gemm.c -I utilities -DLARGE --with polybench.c
  tunectl watch s3                              follow a study
  tunectl fetch s3 -o gemm.tuned.c              the user's file with its region replaced
  tunectl best gemm.c --device H200             what is known of it without tuning
  tunectl generate gemm.c --arch sm_90          CUDA by the default decisions, without server and GPU
  tunectl online gemm.c                         a program that tunes itself while it runs
  tunectl best s3 | tunectl replay s3 -         evaluate the best configuration once more

Exit codes:
  0    done
  1    what was asked for failed
  2    the command line cannot be understood
  3    no server answers
  4    the study failed, was cancelled, or found no correct candidate
  130  interrupted by Ctrl-C

Environment: TUNE_SERVER, TUNE_TOKEN_FILE, TUNE_CA_FILE, TUNE_CERT, TUNE_KEY stand in for the options of the same names.
TUNE_LIBEXEC names the folder of tuned-server, tune-worker, tune-extract and tune-generate when they do not lie beside tunectl.
TUNE_ANALYSIS_LIMIT stands in for --analysis-limit, also where it is set for tuned-server and tune-worker.
The private server of `tunectl tune` lives in ${XDG_DATA_HOME:-~/.local/share}/tuned-server.

`tunectl VERB --help` tells more about a verb.)";

void AddVerbs(CLI::App& app, Session& session) {
  AddTune(app, session);
  AddSubmit(app, session);
  AddLs(app, session);
  AddShow(app, session);
  AddWatch(app, session);
  AddLogs(app, session);
  AddCancel(app, session);
  AddBest(app, session);
  AddFetch(app, session);
  AddReplay(app, session);
  AddReplaySpace(app, session);
  AddExplain(app, session);
  AddCarving(app, session);
  AddWorkers(app, session);
  AddRegions(app, session);
  AddExtract(app, session);
  AddDescribe(app, session);
  AddGenerate(app, session);
  AddOnline(app, session);
  AddExport(app, session);
  AddImport(app, session);
  AddWisdom(app, session);
  AddPublish(app, session);
  AddPull(app, session);
  AddGc(app, session);
  AddBackup(app, session);
  AddToken(app, session);
  AddDoctor(app, session);
  // Last, so that they stand last in each verb's help.
  for (CLI::App* verb : app.get_subcommands({})) AddGlobalOptions(*verb, session.options);
}

// The verb that `arguments` chose, for hints; empty when none.
std::string ChosenVerb(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? "" : " " + verbs[0]->get_name();
}

// Parses into session.command. Returns an exit code when there is nothing left to do.
int Parse(CLI::App& app, Session& session, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    const auto verbs = app.get_subcommands();
    session.out() << (verbs.empty() ? app.help() : verbs[0]->help("tunectl"));
    return kExitOk;
  } catch (const CLI::CallForVersion& version) {
    session.out() << version.what() << "\n";
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    session.err() << "tunectl: " << error.what() << "\nTry `tunectl" << ChosenVerb(app) << " --help`.\n";
    return kExitUsage;
  }
  return -1;
}

int Report(const absl::Status& error, const std::string& verb, Session& session) {
  if (IsFrontEndReport(error)) {
    // Lines begin with file, line and column, as a compiler's do, so that editors find the place.
    session.err() << Printable(error.message()) << "\ntunectl: the front end refused the file\n";
    return kExitFailed;
  }
  session.err() << "tunectl: " << Printable(error.message()) << "\n";  // a server's words may be in it
  const int code = ExitCodeOf(error);
  if (code == kExitUsage) session.err() << "Try `tunectl" << verb << " --help`.\n";
  return code;
}

}  // namespace

int RunTunectl(const std::vector<std::string>& arguments, const Session::Streams& streams) {
  Session session(streams);
  CLI::App app(kDescription, "tunectl");
  app.set_version_flag("--version", std::string("tunectl ") + kVersion);
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.footer(kFooter);
  AddGlobalOptions(app, session.options);
  AddVerbs(app, session);
  if (const int code = Parse(app, session, arguments); code >= 0) return code;
  try {
    const absl::StatusOr<int> result = session.command();
    session.out() << std::flush;
    return result.ok() ? *result : Report(result.status(), ChosenVerb(app), session);
  } catch (const std::exception& error) {
    return Report(absl::InternalError(absl::StrCat("unexpected: ", error.what())), ChosenVerb(app), session);
  }
}

}  // namespace tune
