// Uniform random walks without repetition.
#pragma once

#include "server/search/proposal_sequence.h"

namespace tune {

// At each decision every option that still leads to a walk not made is equally likely. (Walks are therefore
// not equally likely where branches differ in size: UniformSearch makes them so.) Finds all walks of a finite
// space. Candidate i draws from the random sequence (seed, i) and depends on candidates 0..i-1 only: nothing
// has to be waited for.
class RandomSearch : public ProposalSequence {
 public:
  RandomSearch(uint64_t seed, Space* space, std::vector<v1::Configuration> seeds = {})
      : ProposalSequence(space, std::move(seeds)), seed_(seed) {}

 private:
  int64_t Horizon() const override { return INT64_MAX; }
  std::optional<Entry> Draw(int64_t index) override;
  void Observed(int64_t index) override;

  uint64_t seed_;
};

}  // namespace tune
