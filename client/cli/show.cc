#include <memory>

#include "absl/time/clock.h"
#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/report/candidate_view.h"
#include "client/report/case_text.h"
#include "client/report/explanation_text.h"
#include "client/report/json.h"
#include "client/report/kernel_table.h"
#include "client/report/objective_report.h"
#include "client/report/summary.h"
#include "client/report/table.h"
#include "client/report/timing.h"
#include "client/report/waiting_reason.h"

namespace tune {
namespace {

struct ShowOptions {
  std::string name;  // STUDY or STUDY/INDEX
  bool candidates = false;
  bool timing = false;
  bool graph = false;
  bool dot = false;
  std::string front;  // as ParseFront takes it
  CandidateParts parts;
};

absl::StatusOr<int> ShowCandidate(Session& session, StudyClient& client, const CandidateName& name,
                                  const CandidateParts& parts) {
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client.GetCandidate(name.study, name.index));
  if (session.options.json) {
    session.out() << PrintJson(ToJson(candidate));
  } else {
    session.out() << CandidateDetails(name.study, candidate, parts);
  }
  return kExitOk;
}

// Its decision graph alone.
absl::StatusOr<int> ShowGraph(Session& session, StudyClient& client, const std::string& id, bool dot) {
  TUNE_ASSIGN_OR_RETURN(const v1::Explanation explanation, client.Explain(id, -1));
  if (session.options.json) {
    session.out() << PrintJson(ToJson(explanation));
  } else {
    session.out() << (dot ? GraphDot(explanation) : GraphTable(explanation));
  }
  return kExitOk;
}

// Its candidates that none surpasses in these quantities, alone.
absl::StatusOr<int> ShowFront(Session& session, StudyClient& client, const std::string& id,
                              const std::vector<FrontQuantity>& quantities) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Candidate> candidates, client.ListCandidates(id));
  const std::vector<const v1::Candidate*> front = ParetoFront(candidates, quantities);
  if (session.options.json) {
    Json list = Json::array();
    for (const v1::Candidate* const candidate : front) list.push_back(ToJson(*candidate));
    session.out() << PrintJson(list);
  } else {
    session.out() << FrontTable(front, quantities);
  }
  return kExitOk;
}

// Of a queued study that no worker can take: why. Empty where a worker is all that starts with who follows
// it.
std::string WaitingLine(Session& session, StudyClient& client, const v1::Study& study) {
  if (study.state() != v1::QUEUED || session.private_server() != nullptr) return "";
  const absl::StatusOr<std::vector<v1::WorkerView>> workers = client.ListWorkers();
  if (!workers.ok()) return "";
  std::string line;
  AddLabelled(&line, "waiting", WaitingReason(NeedsOf(study), *workers, client.address()));
  return line;
}

absl::StatusOr<int> ShowStudy(Session& session, StudyClient& client, const std::string& id,
                              const ShowOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, client.GetStudy(id));
  std::vector<v1::Candidate> candidates;
  if (options.candidates || options.timing) {
    TUNE_ASSIGN_OR_RETURN(candidates, client.ListCandidates(id));
  }
  const bool details = options.parts.code || options.parts.configuration;
  std::optional<v1::Candidate> best;
  if ((details || study.device().target() == v1::CUDA) && study.best_index() >= 0) {
    TUNE_ASSIGN_OR_RETURN(best, client.GetCandidate(id, study.best_index()));
  }
  if (session.options.json) {
    Json json = ToJson(study);
    if (best.has_value()) json["best_candidate"] = ToJson(*best);
    if (options.candidates) {
      json["candidates"] = Json::array();
      for (const v1::Candidate& candidate : candidates) json["candidates"].push_back(ToJson(candidate));
    }
    if (options.timing) json["timing"] = ToJson(TimingOf(candidates));
    session.out() << PrintJson(json);
    return kExitOk;
  }
  session.out() << Summary(study, session.colours()) << WaitingLine(session, client, study)
                << StudyDetails(study, absl::Now());
  if (best.has_value() && details) {
    session.out() << "\n" << CandidateDetails(id, *best, options.parts);
  } else if (best.has_value() && !best->evaluation().kernels().empty()) {
    session.out() << "\nkernels of candidate " << best->index() << "\n" << KernelTable(best->evaluation());
  }
  if (study.has_cases())
    session.out() << "\ncases for all sizes and GPUs\n" << CaseDiscussionText(study.cases());
  if (options.timing) session.out() << "\n" << TimingTable(TimingOf(candidates));
  if (options.candidates) session.out() << "\n" << CandidateTable(candidates, study.default_measurement());
  return kExitOk;
}

absl::StatusOr<int> RunShow(Session& session, const ShowOptions& options) {
  const absl::StatusOr<CandidateName> name = ParseCandidateName(options.name);
  if (!name.ok()) return UsageError(name.status().message());
  if (name->index >= 0 && options.candidates)
    return UsageError("--candidates goes with a study, not with a candidate");
  if (name->index >= 0 && options.timing)
    return UsageError("--timing goes with a study, not with a candidate");
  if (name->index >= 0 && (options.graph || options.dot))
    return UsageError("--graph and --dot go with a study, not with a candidate");
  std::vector<FrontQuantity> quantities;
  if (!options.front.empty()) {
    if (name->index >= 0) return UsageError("--front goes with a study, not with a candidate");
    absl::StatusOr<std::vector<FrontQuantity>> parsed = ParseFront(options.front);
    if (!parsed.ok()) return UsageError(parsed.status().message());
    quantities = *std::move(parsed);
  }
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  if (!quantities.empty()) return ShowFront(session, *client, name->study, quantities);
  if (options.graph || options.dot) return ShowGraph(session, *client, name->study, options.dot);
  if (name->index >= 0) return ShowCandidate(session, *client, *name, options.parts);
  return ShowStudy(session, *client, name->study, options);
}

}  // namespace

void AddShow(CLI::App& app, Session& session) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* verb = AddVerb(
      app, session, "show", "Show a study, or one of its candidates",
      "  tunectl show s3 --candidates\n"
      "  tunectl show s3 --timing                  where the time of its evaluations went\n"
      "  tunectl show s3/17 --configuration --code\n"
      "  tunectl show s3 --dot | dot -Tsvg > s3.svg\n"
      "  tunectl show s3 --front time,+gflops      candidates that no other one surpasses in both\n"
      "  tunectl show s3 --json | jq .gain_over_sequential\n",
      "a study: id, name, owner, state (queued, reference,\nsearching, confirming, done, failed, stopped), "
      "failure, target, generator, rounding, device, search,\nreference, evaluated, budget, outcomes, "
      "duplicates, inspections, cases (as of generate --cases), best_index, best, default, "
      "objective,\nbest_metrics, default_metrics, "
      "gain_over_default, gain_over_sequential, "
      "confirmation, "
      "created, finished, region,\nnote, warnings; on cuda best_candidate, with --timing timing; or a "
      "candidate:\nindex, origin, state, attempts, lost, configuration, evaluation (outcome, message,\nlog, "
      "measurement, metrics, errors, code, duplicate_of, stages, worker, compile_command,\ndevice_file, "
      "kernels, "
      "device). Times are seconds, dates milliseconds since 1970.");
  verb->add_option("STUDY[/INDEX]", options->name, "Study, such as s3, or candidate, such as s3/17")
      ->required();
  verb->add_flag("--candidates", options->candidates, "Also a table of all candidates");
  verb->add_flag("--timing", options->timing, "Also where the time of the evaluations went, stage by stage");
  verb->add_flag("--graph", options->graph,
                 "Only the decision graph: each option taken, its pheromone, desirability and candidates");
  verb->add_flag("--dot", options->dot, "Only the decision graph, for Graphviz: dot -Tsvg");
  verb->add_option("--front", options->front,
                   "Only the candidates that no other one surpasses: two quantities or more of time, energy, "
                   "power, edp and the study's metrics, with a + where more is better; with --json a list")
      ->type_name("NAME,NAME...");
  verb->add_flag("--configuration", options->parts.configuration,
                 "Also the decisions; of a study, those of its best candidate");
  verb->add_flag("--code", options->parts.code,
                 "Also the generated code; of a study, that of its best candidate");
  verb->callback(
      [&session, options] { session.command = [&session, options] { return RunShow(session, *options); }; });
}

}  // namespace tune
