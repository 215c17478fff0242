// Walks that neither trails nor the best so far lead to.
#pragma once

#include "server/search/acquisition.h"
#include "server/search/ant_system.h"

namespace tune {

// Draws sixty walks without trails, then climbs: sixty times a variant of the one of which most is expected.
// So a hill is found that has no decision in common with the best so far. All walks are equally likely where
// the space has counted them.
class Anywhere : public ProposalSource {
 public:
  // Nothing is owned. Precondition of Propose: the acquisition's.
  Anywhere(AntSystem* ants, Acquisition* acquisition, Walker* walker)
      : ants_(ants), acquisition_(acquisition), walker_(walker) {}

  std::optional<ProposalSequence::Entry> Propose(Random* random) override;

 private:
  ProposalSequence::Entry WalkWithoutTrails(Random* random);

  AntSystem* const ants_;
  Acquisition* const acquisition_;
  Walker* const walker_;
};

}  // namespace tune
