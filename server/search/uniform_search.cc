#include "server/search/uniform_search.h"

namespace tune {

std::optional<ProposalSequence::Entry> UniformSearch::Draw(int64_t index) {
  Random random(seed_, index);
  std::optional<Entry> entry = NewWalk(&random);
  if (entry.has_value()) entry->origin = "a walk drawn uniformly";
  return entry;
}

void UniformSearch::Observed(int64_t) { ReleaseObserved(); }

}  // namespace tune
