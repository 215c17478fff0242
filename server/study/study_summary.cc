#include "server/study/study_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/evaluation/measurement.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

bool IsCorrect(const v1::Candidate& candidate) {
  return CountsAsEvaluated(candidate) && candidate.evaluation().outcome() == v1::CORRECT &&
         candidate.evaluation().measurement().median() > 0;
}

// Those without a cost come last.
double RankOf(double cost) { return cost > 0 ? cost : std::numeric_limits<double>::infinity(); }

double CandidateCost(const v1::SearchOptions& search, const v1::Candidate& candidate) {
  return CostOf(search, candidate.evaluation().measurement(), candidate.evaluation().metrics());
}

void SetGains(double default_seconds, double sequential_seconds, v1::Study* study) {
  const double best = study->best().median();
  study->set_gain_over_default(best > 0 ? default_seconds / best : 0);
  study->set_gain_over_sequential(best > 0 ? sequential_seconds / best : 0);
}

// Counts are in the order of the outcomes' numbers.
void CountOutcome(v1::Outcome outcome, v1::Study* study) {
  auto* counts = study->mutable_outcomes();
  for (v1::OutcomeCount& entry : *counts) {
    if (entry.outcome() != outcome) continue;
    entry.set_count(entry.count() + 1);
    return;
  }
  v1::OutcomeCount* added = counts->Add();
  added->set_outcome(outcome);
  added->set_count(1);
  std::sort(counts->begin(), counts->end(),
            [](const v1::OutcomeCount& a, const v1::OutcomeCount& b) { return a.outcome() < b.outcome(); });
}

}  // namespace

bool CountsAsEvaluated(const v1::Candidate& candidate) {
  return candidate.origin() != v1::REPLAY && candidate.has_evaluation() &&
         (candidate.state() == v1::EVALUATED || candidate.state() == v1::POISONED) &&
         IsOfARun(candidate.evaluation().outcome());
}

CandidateRecord RecordOf(const v1::SearchOptions& search, const v1::Candidate& candidate) {
  CandidateRecord record;
  if (IsCorrect(candidate)) {
    record.seconds = candidate.evaluation().measurement().median();
    record.cost = CandidateCost(search, candidate);
  }
  record.outcome = candidate.evaluation().outcome();
  record.counts = CountsAsEvaluated(candidate);
  record.duplicate = candidate.evaluation().duplicate_of_plus_one() != 0;
  return record;
}

void CountEvaluation(const v1::Candidate& candidate, v1::Study* study) {
  if (candidate.origin() == v1::REPLAY || !candidate.has_evaluation()) return;
  CountOutcome(candidate.evaluation().outcome(), study);
  if (!CountsAsEvaluated(candidate)) return;
  study->set_evaluated(study->evaluated() + 1);
  if (candidate.evaluation().duplicate_of_plus_one() != 0) study->set_duplicates(study->duplicates() + 1);
  if (!IsCorrect(candidate)) return;
  const std::pair<double, int64_t> rank(RankOf(CandidateCost(study->search(), candidate)), candidate.index());
  const double best = RankOf(CostOf(study->search(), study->best(), study->best_metrics()));
  if (study->best_index() < 0 || rank < std::make_pair(best, study->best_index())) {
    study->set_best_index(candidate.index());
    *study->mutable_best() = candidate.evaluation().measurement();
    *study->mutable_best_metrics() = candidate.evaluation().metrics();
  }
  if (candidate.index() == 0) {
    *study->mutable_default_measurement() = candidate.evaluation().measurement();
    *study->mutable_default_metrics() = candidate.evaluation().metrics();
  }
  SetGains(study->default_measurement().median(), study->reference().sequential_seconds(), study);
}

void ForgetEvaluations(v1::Study* study) {
  study->set_evaluated(0);
  study->clear_outcomes();
  study->set_duplicates(0);
  study->set_best_index(-1);
  study->clear_best();
  study->clear_default_measurement();
  study->clear_best_metrics();
  study->clear_default_metrics();
  SetGains(0, 0, study);
}

std::vector<int64_t> ChooseForConfirmation(const CandidateRecords& candidates, int best) {
  std::vector<std::pair<double, int64_t>> correct;
  for (const auto& [index, record] : candidates) {
    if (record.counts && record.seconds > 0 && !record.duplicate)
      correct.emplace_back(RankOf(record.cost), index);
  }
  std::sort(correct.begin(), correct.end());
  std::vector<int64_t> chosen;
  for (const auto& [cost, index] : correct) {
    if (static_cast<int>(chosen.size()) < best || index == 0) chosen.push_back(index);
  }
  return chosen;
}

void ApplyConfirmation(v1::Confirmation confirmation, v1::Study* study) {
  if (!IsTimeObjective(study->search())) {
    // Times alone were measured again: they say nothing of who is best.
    confirmation.clear_equal_to_best();
    *study->mutable_confirmation() = std::move(confirmation);
    return;
  }
  auto* candidates = confirmation.mutable_candidates();
  const auto seconds = [](const v1::ConfirmedCandidate& candidate) {
    const double median = candidate.measurement().median();
    return median > 0 && candidate.message().empty() ? median : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(candidates->begin(), candidates->end(),
                   [&](const auto& a, const auto& b) { return seconds(a) < seconds(b); });
  confirmation.clear_equal_to_best();
  const bool measured = !candidates->empty() && std::isfinite(seconds(candidates->Get(0)));
  double default_seconds = 0;
  for (int i = 0; measured && i < candidates->size(); ++i) {
    const v1::ConfirmedCandidate& candidate = candidates->Get(i);
    if (!std::isfinite(seconds(candidate))) break;
    if (candidate.index() == 0) {
      default_seconds = seconds(candidate);
      *study->mutable_default_measurement() = candidate.measurement();
    }
    if (i > 0 && !Distinguishable(candidates->Get(0).measurement(), candidate.measurement())) {
      confirmation.add_equal_to_best(candidate.index());
    }
  }
  if (measured) {
    study->set_best_index(candidates->Get(0).index());
    *study->mutable_best() = candidates->Get(0).measurement();
    const double sequential = confirmation.sequential().median() > 0
                                  ? confirmation.sequential().median()
                                  : study->reference().sequential_seconds();
    SetGains(default_seconds, sequential, study);
  }
  *study->mutable_confirmation() = std::move(confirmation);
}

}  // namespace tune
