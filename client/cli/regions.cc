// The loops of a file and what the front end says of each.
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "client/cli/commands.h"
#include "client/cli/generate_options.h"
#include "client/cli/interrupt.h"
#include "client/cli/nest_listing.h"
#include "client/cli/program_options.h"
#include "client/cli/project_nests.h"
#include "client/profile/program_profile.h"
#include "client/report/json.h"
#include "client/report/units.h"
#include "client/submit/shell_words.h"

namespace tune {
namespace {

struct RegionsOptions {
  ProgramOptions program;
  std::vector<std::string> parameters;
  bool run = false;
  std::string limit = "5m";
};

// Of the functions without marked regions the one with the accepted nest that takes the most time or, where
// that was not measured, is deepest, of several that with most statements; empty: there is none.
std::string FunctionToTune(const v1::LoopNests& nests, const std::optional<ProgramProfile>& profile) {
  std::set<std::string> marked;
  for (const v1::LoopNest& nest : nests.nests()) {
    if (nest.marked()) marked.insert(nest.function());
  }
  const v1::LoopNest* chosen = nullptr;
  std::tuple<double, int, int> most;
  for (int i = 0; i < nests.nests_size(); ++i) {
    const v1::LoopNest& nest = nests.nests(i);
    if (!IsAccepted(nest) || marked.count(nest.function()) > 0) continue;
    const double seconds = profile ? profile->times.seconds[static_cast<size_t>(i)] : 0;
    const std::tuple<double, int, int> size(seconds, nest.depth(), nest.scop().statements_size());
    if (chosen != nullptr && size <= most) continue;
    chosen = &nest;
    most = size;
  }
  return chosen == nullptr ? "" : chosen->function();
}

absl::StatusOr<ProgramProfile> Measure(Session& session, const FrontEndRequest& request,
                                       const v1::LoopNests& nests, double limit) {
  InterruptGuard interrupt;
  ProfileRequest profile;
  profile.program = request;
  profile.nests = nests;
  profile.limit = absl::Seconds(limit);
  profile.cancelled = [](void* guard) { return static_cast<InterruptGuard*>(guard)->interrupted(); };
  profile.cancelled_argument = &interrupt;
  if (!session.options.json) session.err() << "builds and runs " << request.file << "\n";
  return ProfileProgram(profile);
}

absl::StatusOr<int> RunRegions(Session& session, const RegionsOptions& options) {
  double limit = 0;
  TUNE_ASSIGN_OR_RETURN(limit, ParseSeconds(options.limit));
  NestFigures figures;
  for (const std::string& text : options.parameters)
    TUNE_RETURN_IF_ERROR(AddParameter("--parameter", text, &figures.parameters));
  if (options.program.file().empty()) {
    if (options.program.project().empty()) return UsageError("give a FILE, or a project with -p");
    if (options.run) return UsageError("--run is of one program: give the FILE with its loops, too");
    return ListProject(session, options.program, figures);
  }
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options.program.Request());
  TUNE_ASSIGN_OR_RETURN(const v1::LoopNests nests, ReadLoopNests(request));
  if (options.run && (session.options.json || !nests.nests().empty())) {
    absl::StatusOr<ProgramProfile> profile = Measure(session, request, nests, limit);
    if (absl::IsCancelled(profile.status())) return Interrupted(session);
    TUNE_RETURN_IF_ERROR(profile.status());
    figures.profile = *std::move(profile);
  }
  if (session.options.json) {
    session.out() << PrintJson(NestsJson(nests, figures));
    return kExitOk;
  }
  if (nests.nests().empty()) {
    const std::string where =
        request.function.empty() ? request.file : absl::StrCat(request.function, " in ", request.file);
    session.out() << where << " has no loops.\n";
    return kExitOk;
  }
  session.out() << PrintNests(nests, request.file, figures);
  if (const std::string function = FunctionToTune(nests, figures.profile); !function.empty()) {
    const std::string project =
        options.program.project().empty() ? "" : " -p " + JoinShellWords({options.program.project()});
    session.out() << "`tunectl tune " << request.file << project << " --function " << function
                  << "` tunes the accepted ones of " << function
                  << ", with --region K the K-th of them alone.\n";
  }
  return kExitOk;
}

}  // namespace

void AddRegions(CLI::App& app, Session& session) {
  auto options = std::make_shared<RegionsOptions>();
  CLI::App* verb = AddVerb(
      app, session, "regions", "List the loops of a file and which of them can be tuned; needs no server",
      "  tunectl regions gemm.c\n"
      "  tunectl regions gemm.c --function main --parameter n=1000     operations at this size\n"
      "  tunectl regions gemm.c --run --arg 500                        what share of the run time each "
      "has\n"
      "  tunectl regions -p build                                      all files of a project\n\n"
      "No pragma is needed. A line is the longest run of statements with loops in them that can be one "
      "region, or a\n"
      "loop that was refused, why, and what is inside of it after that; --json has the remedies, too. "
      "`accepted: NAME`\n"
      "has the region's name in studies. Operations are floating-point ones: where all sizes are known how "
      "many it\n"
      "takes at least, else as they are written, for large sizes.\n\n"
      "--run builds the program, with --with, --cflags and the like, runs it here with --arg and --stdin, "
      "and tells of\n"
      "each nest its share of the processor's time, of all threads together, and how often it began (`?`: "
      "not counted,\n"
      "as it is in threads or a macro makes it with what is around it). What is in a nest or called from it "
      "counts for\n"
      "it, too, once in a recursion, so shares may add up to more than 100%. Where the program is, is "
      "sampled about 250\n"
      "times a second; a program that takes less than a second runs again, at most 20 times. Its output is "
      "not shown.\n",
      "a list: function, begin_line, end_line, accepted, marked, depth,\nregion, statements, operations and "
      "formula (null where refused or not known), parameters,\nrefusals: file, line, column, expression, "
      "reason, remedy. With --run an object: nests is that list, each with share, seconds and calls in a "
      "run,\nlargest share first, the first two null where the program is too short; seconds of a run, of "
      "these outside_seconds in no nest; runs; samples. Of a "
      "project a list of\nits files: file, nests, error (null where the file was read)");
  options->program.AddTo(*verb);
  verb->get_option("FILE")->required(false)->description(
      "File in C or C++. Default: all of the project that -p names");
  verb->get_option("--function")->description("Only the loops of this function");
  verb->add_option("--parameter,--param", options->parameters,
                   "Value of a size of the regions, to count operations")
      ->type_name("NAME=N")
      ->allow_extra_args(false)
      ->group("Program");
  CLI::Option* run =
      verb->add_flag("--run", options->run,
                     "Also build and run the program, and tell what share of its time each has")
          ->group("Program");
  verb->add_option("--time-limit", options->limit, "With --run, for one run of the program. Default: 5m")
      ->check(Time())
      ->type_name("TIME")
      ->needs(run)
      ->group("Program");
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunRegions(session, *options); };
  });
}

}  // namespace tune
