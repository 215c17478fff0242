// Routes of a study's candidates.
#include <algorithm>

#include "common/decision/configuration.h"
#include "common/evaluation/outcome.h"
#include "server/dashboard/read_api.h"
#include "server/dashboard/tuned_download.h"

namespace tune {
namespace {

// What a candidate's own document holds of its log: the end. The route /log has all of it.
constexpr size_t kLongestLog = 256 << 10;

std::vector<std::string> OutcomeWords() {
  std::vector<std::string> words;
  for (const v1::Outcome outcome : AllOutcomes()) words.emplace_back(OutcomeName(outcome));
  words.push_back("open");
  words.push_back("failed");
  return words;
}

bool HasOutcome(const CandidateRow& row, const std::string& word) {
  if (word.empty()) return true;
  if (word == "open") return row.outcome == v1::OUTCOME_UNSPECIFIED;
  if (word == "failed") return row.outcome != v1::OUTCOME_UNSPECIFIED && row.outcome != v1::CORRECT;
  return OutcomeName(row.outcome) == word;
}

// In order of `sort`, the best first where that is the objective; rows without a value stand last.
void SortRows(const std::string& sort, std::vector<const CandidateRow*>* rows) {
  if (sort == "evaluated") {
    std::stable_sort(rows->begin(), rows->end(), [](const CandidateRow* a, const CandidateRow* b) {
      const auto key = [](const CandidateRow* row) {
        return row->evaluated_unix_ms == 0 ? INT64_MAX : row->evaluated_unix_ms;
      };
      return key(a) < key(b);
    });
  } else if (sort == "seconds" || sort == "objective") {
    const double CandidateRow::*key = sort == "seconds" ? &CandidateRow::seconds : &CandidateRow::cost;
    std::stable_sort(rows->begin(), rows->end(), [key](const CandidateRow* a, const CandidateRow* b) {
      return std::make_pair(a->*key <= 0, a->*key) < std::make_pair(b->*key <= 0, b->*key);
    });
  }
}

absl::StatusOr<RouteResponse> ListCandidates(const ReadSources& sources, const RouteRequest& request) {
  Query& query = *request.query;
  const std::string outcome = query.Word("outcome", OutcomeWords());
  const std::string sort = query.Word("sort", {"index", "evaluated", "seconds", "objective"});
  const int64_t first = query.Int("first", 0, 0, INT64_MAX);
  const int64_t offset = query.Int("offset", 0, 0, INT64_MAX);
  const int64_t limit = query.Int("limit", 1000, 1, 10'000);
  TUNE_RETURN_IF_ERROR(query.Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const auto table, sources.tables->Get(id));
  std::vector<const CandidateRow*> rows;
  for (const CandidateRow& row : table->rows) {
    if (row.index >= first && HasOutcome(row, outcome)) rows.push_back(&row);
  }
  SortRows(sort, &rows);
  Json candidates = Json::array();
  const int64_t matching = static_cast<int64_t>(rows.size());
  for (int64_t i = offset; i < matching && i - offset < limit; ++i) {
    candidates.push_back(CandidateRowJson(*table, *rows[i]));
  }
  return JsonResponse({{"candidates", candidates}, {"matching", matching}, {"total", table->rows.size()}});
}

absl::StatusOr<v1::Candidate> FindCandidate(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const int64_t index, IndexSegment(request.segments[1]));
  TUNE_RETURN_IF_ERROR(sources.coordinator->GetStudy(id).status());
  return sources.coordinator->GetCandidate(id, index);
}

Json FindingsJson(const v1::Evaluation& evaluation) {
  Json findings = Json::array();
  for (const v1::Finding& finding : evaluation.findings()) {
    findings.push_back({{"title", finding.title()}, {"text", finding.text()}});
  }
  return findings;
}

// With log, code and device_file. A copy shows the texts of what it copies.
absl::StatusOr<Json> FullEvaluationJson(const ReadSources& sources, const std::string& study,
                                        const v1::Candidate& candidate) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  Json json = EvaluationJson(evaluation);
  const std::string& log = evaluation.log();
  json["log"] = log.size() > kLongestLog ? log.substr(log.size() - kLongestLog) : log;
  json["log_bytes"] = log.size();
  v1::Evaluation original;
  const bool is_copy = evaluation.code().empty() && evaluation.duplicate_of_plus_one() > 0;
  if (is_copy) {
    TUNE_ASSIGN_OR_RETURN(original, EvaluationWithCode(*sources.coordinator, study, candidate.index()));
  }
  const v1::Evaluation& texts = is_copy ? original : evaluation;
  json["code"] = texts.code();
  json["device_file"] = texts.device_file();
  json["findings"] = FindingsJson(evaluation);
  return json;
}

absl::StatusOr<RouteResponse> ShowCandidate(const ReadSources& sources, const RouteRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, FindCandidate(sources, request));
  Json evaluation;
  if (candidate.has_evaluation()) {
    TUNE_ASSIGN_OR_RETURN(evaluation, FullEvaluationJson(sources, request.segments[0], candidate));
  }
  return JsonResponse({{"study", request.segments[0]},
                       {"index", candidate.index()},
                       {"origin", OriginText(candidate.origin())},
                       {"state", std::string(CandidateStateName(candidate.state()))},
                       {"attempts", candidate.attempts()},
                       {"lost", candidate.lost()},
                       {"created", TimeOrNull(candidate.created_unix_ms())},
                       {"evaluated", TimeOrNull(candidate.evaluated_unix_ms())},
                       {"configuration", ToJson(candidate.configuration())},
                       {"evaluation", evaluation}});
}

absl::StatusOr<RouteResponse> ShowConfiguration(const ReadSources& sources, const RouteRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, FindCandidate(sources, request));
  return TextResponse(PrintConfiguration(candidate.configuration()),
                      absl::StrCat(request.segments[0], "-", candidate.index(), ".configuration.txt"));
}

absl::StatusOr<RouteResponse> ShowLog(const ReadSources& sources, const RouteRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, FindCandidate(sources, request));
  return TextResponse(candidate.evaluation().log(),
                      absl::StrCat(request.segments[0], "-", candidate.index(), ".log"));
}

// Sums of the search's evaluations, stage by stage, in the order of an evaluation.
absl::StatusOr<RouteResponse> ShowTiming(const ReadSources& sources, const RouteRequest& request) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  TUNE_ASSIGN_OR_RETURN(const auto table, sources.tables->Get(id));
  std::vector<std::pair<int64_t, double>> sums(table->stages.size());
  int64_t evaluations = 0, begin = INT64_MAX, end = 0;
  for (const CandidateRow& row : table->rows) {
    if (row.origin != v1::SEARCH || row.evaluated_unix_ms == 0 || row.worker.empty()) continue;
    ++evaluations;
    begin = std::min(begin, row.created_unix_ms);
    end = std::max(end, row.evaluated_unix_ms);
    for (const auto& [stage, seconds] : row.stages) {
      ++sums[stage].first;
      sums[stage].second += seconds;
    }
  }
  const double wall = evaluations == 0 ? 0 : std::max<int64_t>(0, end - begin) * 1e-3;
  Json stages = Json::array();
  for (size_t i = 0; i < sums.size(); ++i) {
    stages.push_back(
        {{"stage", table->stages[i]}, {"evaluations", sums[i].first}, {"seconds", sums[i].second}});
  }
  return JsonResponse({{"evaluations", evaluations},
                       {"wall_seconds", wall},
                       {"evaluations_per_second", wall > 0 ? evaluations / wall : 0},
                       {"stages", stages}});
}

}  // namespace

void AddCandidateRoutes(const ReadSources& sources, std::vector<Route>* routes) {
  const RouteAdder add("/api/v1/studies/{study}", sources, routes);
  add("/timing", ShowTiming);
  add("/candidates", ListCandidates);
  add("/candidates/{index}", ShowCandidate);
  add("/candidates/{index}/configuration", ShowConfiguration);
  add("/candidates/{index}/log", ShowLog);
}

}  // namespace tune
