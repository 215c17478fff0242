// What is fast on other devices and with other sizes.
#pragma once

#include "server/search/acquisition.h"
#include "server/search/ant_system.h"

namespace tune {

// Before anything was measured here, configurations that complement each other (prior.h); later the most
// promising one of the 400 of which most is expected. Where one is not of the space, it is the walk next to
// it.
class KnownElsewhere : public ProposalSource {
 public:
  // Nothing is owned. Precondition of Propose: the memory's prior is not empty.
  KnownElsewhere(const ColonyMemory* memory, AntSystem* ants, Acquisition* acquisition, const Walker* walker)
      : memory_(memory), ants_(ants), acquisition_(acquisition), walker_(walker) {}

  std::optional<ProposalSequence::Entry> Propose(Random* random) override;

 private:
  ProposalSequence::Entry WalkAs(const v1::Configuration& configuration, Random* random);

  const ColonyMemory* const memory_;
  AntSystem* const ants_;
  Acquisition* const acquisition_;
  const Walker* const walker_;
};

}  // namespace tune
