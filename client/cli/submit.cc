#include <memory>

#include "client/cli/captured_studies.h"
#include "client/cli/commands.h"
#include "client/cli/follow.h"
#include "client/cli/known_results.h"
#include "client/cli/shared_check.h"
#include "client/cli/submission.h"
#include "client/cli/tuned_output.h"
#include "client/report/json.h"
#include "client/report/summary.h"
#include "client/report/waiting_reason.h"

namespace tune {
namespace {

struct SubmitOptions {
  ProgramOptions program;
  StudyOptions study;
  KernelOptions kernel;
  CapturedOptions captured;
  bool fresh = false;
  bool watch = false;
  bool no_wait = false;  // what submit does anyway; accepted so that scripts can say it
};

absl::StatusOr<int> WatchAll(Session& session, StudyClient& client, const std::vector<v1::Study>& studies) {
  const InterruptGuard interrupt;
  int code = kExitOk;
  Json results = Json::array();
  for (const v1::Study& study : studies) {
    TUNE_ASSIGN_OR_RETURN(const Followed followed, Follow(session, client, study.id(), interrupt, {}));
    if (followed.interrupted) {
      session.err() << study.id() << " goes on; `" << session.Hint("watch " + study.id())
                    << "` follows it again, `" << session.Hint("cancel " + study.id()) << "` ends it.\n";
      return kExitInterrupted;
    }
    results.push_back(ToJson(followed.study));
    if (!session.options.json) session.out() << Summary(followed.study, session.colours());
    code = std::max(code, StudyExitCode(followed));
  }
  if (session.options.json) session.out() << PrintJson(results);
  return code;
}

// When no worker can take them now. That the server cannot tell is no failure of the submission.
void TellWhatIsMissing(Session& session, StudyClient& client, const std::vector<v1::StudySpec>& specs) {
  if (session.private_server() != nullptr) return;  // a worker starts with whoever follows the study
  const absl::StatusOr<std::vector<v1::WorkerView>> workers = client.ListWorkers();
  if (!workers.ok()) return;
  const std::string reason = WaitingReason(NeedsOf(specs[0]), *workers, client.address());
  if (!reason.empty()) session.err() << "It waits: " << reason << ".\n";
}

absl::StatusOr<int> RunSubmit(Session& session, const SubmitOptions& options) {
  TUNE_ASSIGN_OR_RETURN(
      std::vector<v1::StudySpec> specs,
      PrepareStudies(session, options.program, options.study, options.kernel, options.captured));
  TUNE_RETURN_IF_ERROR(CheckShareable(session, specs));
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client,
                        session.Client(options.watch ? Needs::kServerAndWorker : Needs::kServer));
  if (options.study.every_target()) {
    TUNE_ASSIGN_OR_RETURN(const std::vector<v1::WorkerView> workers, client->ListWorkers());
    std::string note;
    specs = ForEveryTarget(specs, workers, &note);
    if (!note.empty()) session.err() << note << "\n";
  }
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> studies,
                        SubmitWithKnown(session, *client, options.fresh, &specs));
  Json results = Json::array();
  for (size_t i = 0; i < studies.size(); ++i) {
    results.push_back(ToJson(studies[i]));
    if (!session.options.json) session.out() << SubmittedLine(studies[i], specs[i]) << "\n" << std::flush;
  }
  if (options.watch) return WatchAll(session, *client, studies);
  TellWhatIsMissing(session, *client, specs);
  if (session.options.json) {
    session.out() << PrintJson(results);
  } else {
    session.out() << "Follow with `" << session.Hint("watch " + studies[0].id()) << "`.\n";
  }
  return kExitOk;
}

}  // namespace

void AddSubmit(CLI::App& app, Session& session) {
  auto options = std::make_shared<SubmitOptions>();
  CLI::App* verb = AddVerb(
      app, session, "submit", "Submit a file in C or C++ to a server; prints the ids of its studies",
      std::string("  tunectl submit gemm.c -I utilities -DLARGE_DATASET --with polybench.c\n"
                  "  tunectl --server host:7410 submit gemm.c --evaluations 200 --watch\n"
                  "  tunectl submit kernel.c --param n=1000        a file without main\n"
                  "  tunectl submit kernel.c --sizes n=500,1000    a study of each size\n"
                  "  tunectl submit kernel.c --captured app.captured    sizes that a program met\n"
                  "  tunectl submit gemm.scop                      no clang needed\n"
                  "  tunectl submit gemm.c --fresh                 as if nothing were known\n"
                  "  tunectl submit gemm.c --target cpu+cuda       a GPU and its host at the same time\n"
                  "  tunectl submit matmul.tune                  hand-written kernels\n\n") +
          kLookUpHelp + "\n" + kSizesRule + kSlowSizesRule +
          "`tunectl fetch s1 s2 s3 -o FILE` writes that file.\n\n" + kCapturedHelp,
      "a list of studies as `show` prints them, with --watch once they have finished");
  options->program.AddTo(*verb);
  options->study.AddTo(*verb);
  options->kernel.AddTo(*verb);
  options->captured.AddTo(*verb);
  AddFresh(*verb, &options->fresh);
  CLI::Option* watch =
      verb->add_flag("--watch", options->watch, "Follow the studies until they have finished");
  verb->add_flag("--no-wait", options->no_wait, "Return at once, which is the default")->excludes(watch);
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunSubmit(session, *options); };
  });
}

}  // namespace tune
