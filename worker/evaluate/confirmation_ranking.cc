#include "worker/evaluate/confirmation_ranking.h"

#include <algorithm>

#include "common/evaluation/measurement.h"

namespace tune {

void RankConfirmation(v1::Confirmation* confirmation) {
  auto* candidates = confirmation->mutable_candidates();
  std::stable_sort(candidates->begin(), candidates->end(),
                   [](const v1::ConfirmedCandidate& a, const v1::ConfirmedCandidate& b) {
                     if (a.has_measurement() != b.has_measurement()) return a.has_measurement();
                     return a.has_measurement() && a.measurement().median() < b.measurement().median();
                   });
  confirmation->clear_equal_to_best();
  for (int i = 1; i < candidates->size(); ++i) {
    if (!candidates->Get(i).has_measurement()) break;
    if (Distinguishable(candidates->Get(0).measurement(), candidates->Get(i).measurement())) continue;
    confirmation->add_equal_to_best(candidates->Get(i).index());
  }
}

}  // namespace tune
