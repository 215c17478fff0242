// Differential evolution (Storn, Price 1997) over decisions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "server/search/decision_table.h"
#include "server/search/uniform_sequence.h"

namespace tune {

// Every generation has a trial for each of ten individuals; the trial takes the individual's place when it is
// at least as fast. Trials of one generation depend on earlier generations alone. The first generation is the
// default and walks drawn uniformly. A candidate that was drawn elsewhere (portfolio.h) is the trial of its
// place, so that the population evolves from what others found as well.
//
// A trial is best/1/bin: for each decision with probability 0.5, and for one in any case, it takes
// best + 0.7 (b - c), else what its individual has, where b and c are two other individuals. Options that
// are numbers are counted by their position, and the nearest allowed one is taken. Of other options there is
// no difference: the best's option where b and c agree, else one that is drawn. A decision that one of them
// was not asked is taken from the best, or drawn.
class DifferentialEvolution : public UniformSequence {
 public:
  DifferentialEvolution(uint64_t seed, Space* space, std::vector<v1::Configuration> seeds = {})
      : UniformSequence(space, std::move(seeds)), seed_(seed) {}

  static constexpr int64_t kPopulation = 10;

 private:
  struct Individual {
    int64_t index = 0;
    double seconds = 0;  // infinite where it failed
    KnownWalk known;
  };

  int64_t Horizon() const override { return first_ + kPopulation; }
  std::optional<Entry> Draw(int64_t index) override;
  void Observed(int64_t index) override;
  void EndGeneration();
  Entry Trial(const Individual& individual, Random* random);
  const Individual& Best() const;

  const uint64_t seed_;
  int64_t first_ = 0;                   // candidate of the generation
  int64_t observed_ = 0;                // of the generation
  std::vector<Individual> population_;  // empty before the first generation is observed
  DecisionTable table_;                 // tells which decisions are about numbers
};

}  // namespace tune
