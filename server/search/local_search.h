// Hill climbing with restarts.
#pragma once

#include <optional>
#include <string>

#include "server/search/uniform_sequence.h"

namespace tune {

// Climbs in rounds of five candidates: each is a neighbour of the current candidate, with another option for
// one decision and the others as near as the space allows. The round's best becomes the current one when it
// is faster. After six rounds in a row without that, and in the first round, all are drawn uniformly from the
// whole space, and the climb goes on from the best of them; so is one that finds no neighbour that is new.
// Draws of a round depend on earlier rounds alone. A candidate that was drawn elsewhere (portfolio.h) counts
// as one of its round, so that a climb goes on from the best that others found.
class LocalSearch : public UniformSequence {
 public:
  LocalSearch(uint64_t seed, Space* space, std::vector<v1::Configuration> seeds = {})
      : UniformSequence(space, std::move(seeds)), seed_(seed) {}

  static constexpr int64_t kRound = 5;
  static constexpr int kPatience = 6;  // rounds

 private:
  struct Current {
    int64_t index = 0;
    double seconds = 0;
    KnownWalk known;
  };

  int64_t Horizon() const override { return first_ + kRound; }
  std::optional<Entry> Draw(int64_t index) override;
  void Observed(int64_t index) override;
  void EndRound();
  // A neighbour of the current candidate that was not made; nothing when none was found.
  std::optional<Entry> Neighbour(Random* random);

  const uint64_t seed_;
  int64_t first_ = 0;     // candidate of the round
  int64_t observed_ = 0;  // of the round
  int without_gain_ = 0;  // rounds in a row
  std::optional<Current> current_;
};

}  // namespace tune
