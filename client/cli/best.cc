#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/report/json.h"
#include "client/report/summary.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/space/configuration.h"

namespace tune {
namespace {

absl::StatusOr<int> RunBest(Session& session, const std::string& id) {
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, client->GetStudy(id));
  if (study.best_index() < 0) {
    return absl::NotFoundError(
        absl::StrCat(id, " (", StudyStateName(study.state()), ") has no correct candidate; `",
                     session.Hint(absl::StrCat("show ", id, " --candidates")), "` tells why"));
  }
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client->GetCandidate(id, study.best_index()));
  if (session.options.json) {
    session.out() << PrintJson(ToJson(candidate));
    return kExitOk;
  }
  const v1::Measurement* best = BestMeasurement(study);
  session.out() << "# " << StudyTitle(study) << ", candidate " << id << "/" << candidate.index();
  if (best != nullptr) session.out() << ", " << FormatMeasurement(*best);
  if (!study.device().model().empty()) session.out() << " on " << study.device().model();
  session.out() << "\n" << PrintConfiguration(candidate.configuration());
  return kExitOk;
}

}  // namespace

void AddBest(CLI::App& app, Session& session) {
  auto study = std::make_shared<std::string>();
  CLI::App* verb =
      AddVerb(app, session, "best", "Print the best configuration of a study, as `replay` takes it",
              "  tunectl best s3\n"
              "  tunectl best s3 | sed 's/ = pluto/ = feautrier/' | tunectl replay s3 -\n",
              "the best candidate as `show` prints it");
  verb->add_option("STUDY", *study, "Id of the study")->required()->check(StudyName());
  verb->callback(
      [&session, study] { session.command = [&session, study] { return RunBest(session, *study); }; });
}

}  // namespace tune
