// MAX-MIN ant system (Stuetzle, Hoos 2000) in the hyper-cube framework (Blum, Dorigo 2004), as in
// "Coding Ants", equations 2, 3 and 5, with the extensions of its sections 6.1 and 6.2.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "server/search/ant_chooser.h"
#include "server/search/colony_memory.h"
#include "server/search/pheromone_graph.h"
#include "server/search/proposal_source.h"

namespace tune {

// All ants of iteration i draw from the trails as iteration i - 1 left them. The trails change once, when the
// iteration ends: evaporation everywhere, deposit by one ant, the iteration's best in the first two
// iterations (and when there is no other), the best so far from then on. Candidates that are not CORRECT
// never deposit; of equal times the lower index counts as better.
//
// An ant whose walk was made before draws again, up to ten times, then takes a walk by the same weights over
// those options only that lead to walks not made.
//
// Extensions, each of which can be switched off:
// - Kernels (6.1): the decisions about each kernel get half a deposit from the ant in which that kernel was
//   the fastest.
// - Metrics (6.2): the desirability of options, from hardware counters (edge_experience.h).
//
// Other sources draw what they do not know from the trails, too. Not thread safe.
class AntSystem : public ProposalSource {
 public:
  using Entry = ProposalSequence::Entry;

  // `options` with defaults filled in. Nothing is owned.
  AntSystem(const v1::SearchOptions& options, const ColonyMemory* memory, Walker* walker);

  // Which options of what was seen are left to an ant, and what its walk is called in explanations.
  struct Region {
    std::string origin;
    OptionFilter filter;  // empty: everywhere
  };

  std::optional<Entry> Propose(Random* random) override;
  Entry WalkIn(const Region& region, Random* random) { return Walk(region, /*avoid_made=*/false, random); }
  // Takes known options (by key) but for those of the changed keys, where others are drawn. `name`: of the
  // known walk, for explanations.
  Entry WalkAsKnown(const std::map<std::string, std::string>& known, const std::set<std::string>& changed,
                    const std::string& name, Random* random);
  // As a known walk, but for one or two decisions.
  Entry WalkAsVariant(const KnownWalk& known, const std::string& name, Random* random);

  void EndIteration();
  // With the desirabilities that the memory gives now.
  const PheromoneGraph& graph();

 private:
  // `avoid_made`: among those not made yet, as far as there are such.
  Entry Walk(const Region& region, bool avoid_made, Random* random);
  // The iteration's best, or the best so far; null: there is none.
  const Trace* DepositingWalk() const;
  void DepositOnKernels();

  const v1::SearchOptions options_;
  const ColonyMemory* const memory_;
  Walker* const walker_;
  int iteration_ = 0;
  PheromoneGraph graph_;
  // Every iteration changes desirabilities, and only draws and explanations need them.
  bool desirabilities_are_old_ = false;
};

}  // namespace tune
