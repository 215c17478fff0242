// Uniform random sampling without repetition.
#pragma once

#include "server/search/uniform_sequence.h"

namespace tune {

// All configurations not proposed yet are equally likely: exactly where the space knows how many walks it
// has, as recorded spaces do, else nearly (UniformSequence::NewWalk). It is the yardstick for other
// strategies; RandomSearch draws decision by decision, which favours the configurations of small branches.
// Candidate i draws from the random sequence (seed, i) and depends on candidates 0..i-1 only: nothing has to
// be waited for.
class UniformSearch : public UniformSequence {
 public:
  UniformSearch(uint64_t seed, Space* space, std::vector<v1::Configuration> seeds = {})
      : UniformSequence(space, std::move(seeds)), seed_(seed) {}

 private:
  int64_t Horizon() const override { return INT64_MAX; }
  std::optional<Entry> Draw(int64_t index) override;
  void Observed(int64_t index) override;

  const uint64_t seed_;
};

}  // namespace tune
