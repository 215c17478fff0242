// Walks like those on other hills than the best one's.
#pragma once

#include "server/search/acquisition.h"
#include "server/search/ant_system.h"

namespace tune {

// Of forty variants of one peak (peaks.h) the most promising one: the best are mostly neighbours of each
// other, and where they are on a lower hill, no single change leads from it to a higher one.
class PeakVariants : public ProposalSource {
 public:
  // Nothing is owned. Precondition of Propose: memory->HasSuccess().
  PeakVariants(const ColonyMemory* memory, AntSystem* ants, Acquisition* acquisition)
      : memory_(memory), ants_(ants), acquisition_(acquisition) {}

  std::optional<ProposalSequence::Entry> Propose(Random* random) override;

 private:
  const ColonyMemory* const memory_;
  AntSystem* const ants_;
  Acquisition* const acquisition_;
};

}  // namespace tune
