#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/report/json.h"
#include "client/report/progress.h"
#include "client/report/words.h"

namespace tune {
namespace {

absl::StatusOr<int> RunCancel(Session& session, const std::vector<std::string>& studies) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  Json results = Json::array();
  for (const std::string& id : studies) {
    TUNE_ASSIGN_OR_RETURN(const v1::Study study, client->Cancel(id));
    results.push_back(ToJson(study));
    if (session.options.json) continue;
    session.out() << id << ": "
                  << (IsFinished(study.state()) ? StudyStateName(study.state()) : absl::string_view("stops"))
                  << ", " << study.evaluated() << "/" << study.budget() << " evaluations, best "
                  << BestSoFar(study) << "\n";
  }
  if (session.options.json) session.out() << PrintJson(results);
  return kExitOk;
}

}  // namespace

void AddCancel(CLI::App& app, Session& session) {
  auto studies = std::make_shared<std::vector<std::string>>();
  CLI::App* verb = AddVerb(app, session, "cancel", "End studies; what they found is kept",
                           "  tunectl cancel s3\n"
                           "  tunectl cancel s3 s4\n",
                           "a list of studies as `show` prints them");
  verb->add_option("STUDY", *studies, "Ids of studies")->required()->check(StudyName());
  verb->callback([&session, studies] {
    session.command = [&session, studies] { return RunCancel(session, *studies); };
  });
}

}  // namespace tune
