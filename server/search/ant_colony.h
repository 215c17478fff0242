// MAX-MIN ant system (Stuetzle, Hoos 2000) in the hyper-cube framework (Blum, Dorigo 2004), as in
// "Coding Ants", equations 2, 3 and 5.
#pragma once

#include <optional>

#include "server/search/pheromone_graph.h"
#include "server/search/proposal_sequence.h"

namespace tune {

// Candidates i * ants .. (i + 1) * ants - 1 are the ants of iteration i; ant 0 of iteration 0 takes every
// default. All of them draw from the trails as iteration i - 1 left them, so they may be evaluated in
// parallel and observed in any order; the trails change once, when the last is observed:
// evaporation everywhere, deposit by one ant, the iteration's best in the first two iterations (and
// when there is no other), the best so far from then on. Candidates that are not CORRECT never deposit;
// of equal times the lower index counts as better.
//
// A configuration is not proposed twice: an ant whose walk was made before draws again, up to ten
// times, then takes a walk by the same weights over those options only that lead to walks not made.
class AntColony : public ProposalSequence {
 public:
  // `options` with defaults filled in; `space` is not owned.
  AntColony(const v1::SearchOptions& options, Space* space);

  const PheromoneGraph& graph() const { return graph_; }
  int64_t iteration() const { return iteration_; }

 private:
  struct Best {
    double seconds = 0;
    Trace trace;
  };

  int64_t Horizon() const override { return (iteration_ + 1) * ants_; }
  std::optional<Entry> Draw(int64_t index) override;
  void Observed(int64_t index) override;
  void EndIteration();

  uint64_t seed_;
  int64_t ants_;
  int64_t iteration_ = 0;
  int64_t observed_ = 0;  // of the ants of iteration_
  PheromoneGraph graph_;
  std::optional<Best> best_;
};

}  // namespace tune
