#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/report/explanation_text.h"

namespace tune {
namespace {

absl::StatusOr<int> RunExplain(Session& session, const std::string& text) {
  const absl::StatusOr<CandidateName> name = ParseCandidateName(text);
  if (!name.ok()) return UsageError(name.status().message());
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const v1::Explanation explanation, client->Explain(name->study, name->index));
  if (session.options.json) {
    session.out() << PrintJson(ToJson(explanation));
  } else if (name->index >= 0) {
    session.out() << ExplanationText(name->study, explanation);
  } else {
    session.out() << TreeReport(name->study, explanation);
  }
  return kExitOk;
}

}  // namespace

void AddExplain(CLI::App& app, Session& session) {
  auto name = std::make_shared<std::string>();
  CLI::App* verb = AddVerb(
      app, session, "explain", "Tell why the search made a candidate, or what it has learned in a study",
      "  tunectl explain s3/17      each decision: options, pheromone, desirability, what was closed, the "
      "draw\n"
      "  tunectl explain s3         the regression tree, and the most important decisions\n",
      "index, iteration, origin, decisions (key, chosen, reason,\noptions), tree, graph (edges with "
      "pheromone and "
      "visits), notes");
  verb->add_option("STUDY[/INDEX]", *name, "Study, such as s3, or candidate, such as s3/17")->required();
  verb->callback(
      [&session, name] { session.command = [&session, name] { return RunExplain(session, *name); }; });
}

}  // namespace tune
