// What others have chosen, one after the other.
#pragma once

#include "server/search/proposal_sequence.h"

namespace tune {

// The default configuration, then the seeds in their order; nothing has to be waited for.
class ListSearch : public ProposalSequence {
 public:
  ListSearch(Space* space, std::vector<v1::Configuration> seeds)
      : ProposalSequence(space, std::move(seeds)) {}

 private:
  int64_t Horizon() const override { return INT64_MAX; }
  std::optional<Entry> Draw(int64_t) override { return std::nullopt; }
  void Observed(int64_t) override { ReleaseObserved(); }
};

}  // namespace tune
