#include "server/study/study_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/evaluation/measurement.h"

namespace tune {
namespace {

bool IsCorrect(const v1::Candidate& candidate) {
  return CountsAsEvaluated(candidate) && candidate.evaluation().outcome() == v1::CORRECT &&
         candidate.evaluation().measurement().median() > 0;
}

double MedianOf(const v1::Candidate& candidate) { return candidate.evaluation().measurement().median(); }

void SetGains(double default_seconds, double sequential_seconds, v1::Study* study) {
  const double best = study->best().median();
  study->set_gain_over_default(best > 0 ? default_seconds / best : 0);
  study->set_gain_over_sequential(best > 0 ? sequential_seconds / best : 0);
}

}  // namespace

bool CountsAsEvaluated(const v1::Candidate& candidate) {
  return candidate.origin() == v1::SEARCH && candidate.has_evaluation() &&
         (candidate.state() == v1::EVALUATED || candidate.state() == v1::POISONED) &&
         candidate.evaluation().outcome() != v1::CANCELLED;
}

void Summarize(const CandidateMap& candidates, v1::Study* study) {
  std::map<v1::Outcome, int> outcomes;
  int evaluated = 0;
  int duplicates = 0;
  const v1::Candidate* best = nullptr;
  for (const auto& [index, candidate] : candidates) {
    if (candidate.origin() != v1::SEARCH || !candidate.has_evaluation()) continue;
    ++outcomes[candidate.evaluation().outcome()];
    if (!CountsAsEvaluated(candidate)) continue;
    ++evaluated;
    if (candidate.evaluation().duplicate_of_plus_one() != 0) ++duplicates;
    if (IsCorrect(candidate) && (best == nullptr || MedianOf(candidate) < MedianOf(*best))) best = &candidate;
  }
  study->set_evaluated(evaluated);
  study->set_duplicates(duplicates);
  study->clear_outcomes();
  for (const auto& [outcome, count] : outcomes) {
    v1::OutcomeCount* entry = study->add_outcomes();
    entry->set_outcome(outcome);
    entry->set_count(count);
  }
  study->set_best_index(best == nullptr ? -1 : best->index());
  study->clear_best();
  study->clear_default_measurement();
  if (best != nullptr) *study->mutable_best() = best->evaluation().measurement();
  const auto first = candidates.find(0);
  if (first != candidates.end() && IsCorrect(first->second)) {
    *study->mutable_default_measurement() = first->second.evaluation().measurement();
  }
  SetGains(study->default_measurement().median(), study->reference().sequential_seconds(), study);
}

std::vector<int64_t> ChooseForConfirmation(const CandidateMap& candidates, int best) {
  std::vector<std::pair<double, int64_t>> correct;
  for (const auto& [index, candidate] : candidates) {
    if (IsCorrect(candidate) && candidate.evaluation().duplicate_of_plus_one() == 0) {
      correct.emplace_back(MedianOf(candidate), index);
    }
  }
  std::sort(correct.begin(), correct.end());
  std::vector<int64_t> chosen;
  for (const auto& [seconds, index] : correct) {
    if (static_cast<int>(chosen.size()) < best || index == 0) chosen.push_back(index);
  }
  return chosen;
}

void ApplyConfirmation(v1::Confirmation confirmation, v1::Study* study) {
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
