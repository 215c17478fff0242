// What is known of the same computation elsewhere, as an expectation of how fast configurations are here.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "server/model/forest.h"
#include "server/search/decision_table.h"
#include "tune/v1/study.pb.h"

namespace tune {

// A source is one study: one device, one size. What it says of a configuration is the natural logarithm of
// its time over the source's best one: as measured there or, where it was not, as a forest of the source's
// results predicts; at most 3, which is what a failed one has. What is expected here is the mean of the
// sources, weighted by how well each foretold what was measured here; before that all weigh the same. Not
// thread safe.
class Prior {
 public:
  // One number a source.
  using Sayings = std::vector<double>;

  // Sources without a correct result are left out. The draws of the forests follow from `seed`.
  Prior(const std::vector<v1::KnownResults>& known, uint64_t seed);

  bool empty() const { return sources_.empty(); }
  Sayings SayingsOf(const Trace& trace) const;
  // Their weighted mean.
  double MeanOf(const Sayings& sayings) const;

  // A candidate that was correct here, and what was said of it.
  void Observe(const Sayings& sayings, double seconds);
  // Weighs the sources by what was observed so far.
  void Weigh();

  // Of the configurations that are among the best of a source, or of all sources: the `count` of which most
  // is expected.
  std::vector<v1::Configuration> Promising(size_t count) const;
  // Of the same `count` that complement the walks that were made and each other: each is the one that brings
  // most over those before it, summed over what may be true here: that it is as one source says, as the mean
  // of all says, or as the mean says but for one option, which is slow here.
  std::vector<v1::Configuration> Complementing(const std::vector<Trace>& made, size_t count) const;

 private:
  struct Source {
    std::unordered_map<std::string, double> measured;  // by the text of the configuration
    Forest forest;
    double weight = 1;
  };
  struct Known {
    v1::Configuration configuration;
    Sayings sayings;
  };
  using Option = std::pair<std::string, std::string>;  // with its key
  struct Observation {
    Sayings sayings;
    double logarithm = 0;  // of the seconds
  };

  // What share of the best speed a configuration has, by what may be true; and how much each of these counts.
  std::vector<double> SharesOf(const Trace& trace, const Sayings& sayings) const;
  std::vector<double> WeightsOfTruths() const;
  void AddSource(const v1::KnownResults& known, Random* random);
  void ChooseKnown(const std::vector<v1::KnownResults>& known);
  Sayings SayingsOf(const v1::Configuration& configuration) const;

  DecisionTable table_;
  std::vector<Source> sources_;
  std::vector<Known> known_;
  std::vector<Option> doubtful_;  // of the known, where they differ in the decision
  std::vector<Observation> observations_;
};

}  // namespace tune
