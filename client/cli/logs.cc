#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/report/candidate_view.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "client/report/words.h"

namespace tune {
namespace {

void PrintLog(Session& session, const std::string& heading, const std::string& log) {
  session.out() << OneLine(heading) << "\n"
                << Printable(log) << (log.empty() || log.back() == '\n' ? "" : "\n");
}

absl::StatusOr<int> RunLogs(Session& session, const std::string& text) {
  const absl::StatusOr<CandidateName> name = ParseCandidateName(text);
  if (!name.ok()) return UsageError(name.status().message());
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  if (name->index < 0) {
    TUNE_ASSIGN_OR_RETURN(const v1::Study study, client->GetStudy(name->study));
    if (session.options.json) {
      session.out() << PrintJson({{"failure", study.failure()}, {"log", study.failure_log()}});
    } else if (study.failure().empty() && study.failure_log().empty()) {
      session.out() << study.id() << " has not failed; `"
                    << session.Hint(absl::StrCat("logs ", study.id(), "/0"))
                    << "` shows the log of a candidate.\n";
    } else {
      PrintLog(session, absl::StrCat(study.id(), ": ", study.failure()), study.failure_log());
    }
    return kExitOk;
  }
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client->GetCandidate(name->study, name->index));
  const v1::Evaluation& evaluation = candidate.evaluation();
  if (session.options.json) {
    session.out() << PrintJson({{"outcome", std::string(OutcomeName(evaluation.outcome()))},
                                {"message", evaluation.message()},
                                {"log", evaluation.log()}});
    return kExitOk;
  }
  std::string heading = absl::StrCat(text, ": ");
  if (!candidate.has_evaluation()) {
    absl::StrAppend(&heading, CandidateStateName(candidate.state()), ", not evaluated yet");
  } else {
    absl::StrAppend(&heading, OutcomeName(evaluation.outcome()), evaluation.message().empty() ? "" : ", ",
                    evaluation.message(), evaluation.log().empty() ? " (no log)" : "");
  }
  PrintLog(session, heading, evaluation.log());
  for (const v1::ArrayError& error : evaluation.errors()) session.out() << ArrayErrorLine(error) << "\n";
  return kExitOk;
}

}  // namespace

void AddLogs(CLI::App& app, Session& session) {
  auto name = std::make_shared<std::string>();
  CLI::App* verb =
      AddVerb(app, session, "logs",
              "Print what the compiler or the program said of a candidate, or why a study failed",
              "  tunectl logs s3/17\n"
              "  tunectl logs s3\n",
              "outcome, message and log; of a study failure and log");
  verb->add_option("STUDY[/INDEX]", *name, "Candidate, such as s3/17, or study")->required();
  verb->callback(
      [&session, name] { session.command = [&session, name] { return RunLogs(session, *name); }; });
}

}  // namespace tune
