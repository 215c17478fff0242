// Walks like the best ones.
#pragma once

#include "server/search/acquisition.h"
#include "server/search/ant_system.h"

namespace tune {

// Of 28 walks in the regression tree's region of the best so far, and 28 variants of the three best
// candidates, each with one or two other decisions, the most promising one ("Coding Ants", section 6.3).
class NearTheBest : public ProposalSource {
 public:
  // Nothing is owned. Precondition of Propose: memory->HasSuccess().
  NearTheBest(ColonyMemory* memory, AntSystem* ants, Acquisition* acquisition)
      : memory_(memory), ants_(ants), acquisition_(acquisition) {}

  std::optional<ProposalSequence::Entry> Propose(Random* random) override;

 private:
  ColonyMemory* const memory_;
  AntSystem* const ants_;
  Acquisition* const acquisition_;
};

}  // namespace tune
