// Walks where the regression tree leads.
#pragma once

#include "server/search/acquisition.h"
#include "server/search/ant_system.h"

namespace tune {

// Makes forty walks in a region drawn from the tree ("Coding Ants", section 6.3), then climbs: eighty times a
// variant of the one of which most is expected.
class DrawnRegions : public ProposalSource {
 public:
  // `alpha`: of the draws in the tree. Nothing is owned. Precondition of Propose: memory->HasSuccess().
  DrawnRegions(double alpha, ColonyMemory* memory, AntSystem* ants, Acquisition* acquisition)
      : alpha_(alpha), memory_(memory), ants_(ants), acquisition_(acquisition) {}

  std::optional<ProposalSequence::Entry> Propose(Random* random) override;

 private:
  const double alpha_;
  ColonyMemory* const memory_;
  AntSystem* const ants_;
  Acquisition* const acquisition_;
};

}  // namespace tune
