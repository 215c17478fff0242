// Which of several walks is worth an evaluation.
#pragma once

#include <functional>
#include <optional>

#include "server/search/colony_memory.h"
#include "server/search/proposal_source.h"
#include "server/search/walk_model.h"

namespace tune {

// The value of a walk is the improvement on the best so far that is expected of it (walk_model.h), times how
// reliably its options lead to a correct candidate. The results of the iteration's ants before are taken as
// expected: without it the ants of one iteration, who know the same, would take nearly the same walk. Not
// thread safe.
class Acquisition {
 public:
  using Entry = ProposalSequence::Entry;

  // Nothing is owned.
  Acquisition(uint64_t seed, ColonyMemory* memory, const Walker* walker)
      : seed_(seed), memory_(memory), walker_(walker) {}

  // Of those of walk(0, ...) .. walk(count - 1, ...) that were not made yet. Nothing when all were. A walk is
  // told the most promising one before it; null: there is none. Precondition: memory->HasSuccess().
  std::optional<Entry> MostPromising(int count, const std::function<Entry(int, const Entry*)>& walk);

  void EndIteration();

 private:
  const WalkModel& model();
  // That of the model, having seen the iteration's ants so far.
  const GaussianProcess& ProcessWithAnts(const WalkModel& model);
  // Of the options that the walk takes.
  double LeastReliability(const Trace& trace) const;

  const uint64_t seed_;
  ColonyMemory* const memory_;
  const Walker* const walker_;
  int rows_ = 0;                            // of the memory's table, which the model knows
  std::optional<WalkModel> model_;          // made when first needed
  std::optional<GaussianProcess> process_;  // that of the model, with the iteration's ants below expected_
  int64_t expected_ = 0;
};

}  // namespace tune
