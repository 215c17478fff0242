#include <memory>

#include "client/cli/commands.h"
#include "client/cli/follow.h"
#include "client/cli/program_options.h"
#include "client/report/json.h"
#include "client/report/summary.h"

namespace tune {
namespace {

absl::StatusOr<int> RunWatch(Session& session, const std::string& study) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client(Needs::kServerAndWorker));
  const InterruptGuard interrupt;
  FollowOptions follow;
  if (session.options.json) {
    follow.on_update = [&session](const v1::Study& update) {
      session.out() << PrintJsonLine(ToJson(update)) << std::flush;
    };
  }
  TUNE_ASSIGN_OR_RETURN(const Followed followed, Follow(session, *client, study, interrupt, follow));
  if (followed.interrupted) {
    session.err() << study << " goes on; `" << session.Hint("watch " + study) << "` follows it again, `"
                  << session.Hint("cancel " + study) << "` ends it.\n";
  } else if (!session.options.json) {
    session.out() << Summary(followed.study, session.colours());
  }
  return StudyExitCode(followed);
}

}  // namespace

void AddWatch(CLI::App& app, Session& session) {
  auto study = std::make_shared<std::string>();
  CLI::App* verb = AddVerb(
      app, session, "watch", "Follow a study until it has finished; Ctrl-C stops following, not the study",
      "  tunectl watch s3\n"
      "  tunectl --private watch s3        continue an unfinished study of `tunectl tune`\n",
      "one line for each change, a study as `show` prints it");
  verb->add_option("STUDY", *study, "Id of the study, such as s3")->required()->check(StudyName());
  verb->callback(
      [&session, study] { session.command = [&session, study] { return RunWatch(session, *study); }; });
}

}  // namespace tune
