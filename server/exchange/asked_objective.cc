#include "server/exchange/asked_objective.h"

#include <algorithm>

#include "common/evaluation/objective.h"

namespace tune {
namespace {

constexpr int64_t kMaxRead = 10'000;  // candidates of a study

// The expression of the metric, where there is one of the name.
template <typename Metrics>
std::optional<std::string> DefinitionOf(const std::string& name, const Metrics& metrics) {
  for (const v1::MetricDefinition& metric : metrics)
    if (metric.name() == name) return metric.expression();
  return std::nullopt;
}

}  // namespace

// A study whose definitions are not known, as imported results are, is taken by the metric's name.
absl::StatusOr<bool> AskedObjective::Knows(const v1::Study& study) const {
  const auto asked = DefinitionOf(ObjectiveOf(request_.search()), request_.metrics());
  if (!asked.has_value()) return true;
  TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, store_.GetSpecWithoutProgram(study.id()));
  const auto own = DefinitionOf(ObjectiveOf(request_.search()), spec.metrics());
  return !own.has_value() || *own == *asked;
}

absl::StatusOr<double> AskedObjective::BestCostOf(const v1::Study& study) const {
  const double cost = BestCost(request_.search(), study);
  if (cost == 0) return 0;
  TUNE_ASSIGN_OR_RETURN(const bool knows, Knows(study));
  return knows ? cost : 0;
}

absl::StatusOr<v1::Configuration> AskedObjective::BestOf(const v1::Study& study) const {
  if (!SameObjective(study.search(), request_.search())) {
    TUNE_ASSIGN_OR_RETURN(const v1::KnownResults best, ResultsOf(study, 1));
    if (!best.results().empty()) return best.results(0).configuration();
  }
  TUNE_ASSIGN_OR_RETURN(const StoredCandidate best, store_.GetCandidate(study.id(), study.best_index()));
  return best.candidate.configuration();
}

absl::StatusOr<v1::KnownResults> AskedObjective::ResultsOf(const v1::Study& study, int limit) const {
  v1::KnownResults known;
  known.set_source(absl::StrCat(study.id(), " on ", study.device().model()));
  TUNE_ASSIGN_OR_RETURN(const bool knows, Knows(study));
  if (!knows) return known;
  CandidatePage page;
  TUNE_RETURN_IF_ERROR(store_.ReadCandidates(study.id(), 0, kMaxRead, &page));
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < page.size(); ++i) {
    if (page[i].origin() != v1::SEARCH) continue;
    const double cost = CostOf(request_.search(), page[i].evaluation());
    if (cost > 0) ranked.emplace_back(cost, i);
  }
  std::sort(ranked.begin(), ranked.end());
  for (size_t i = 0; i < std::min<size_t>(limit, ranked.size()); ++i) {
    v1::KnownResult* result = known.add_results();
    *result->mutable_configuration() = page[ranked[i].second].configuration();
    result->set_seconds(ranked[i].first);
  }
  return known;
}

}  // namespace tune
