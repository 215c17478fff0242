// The best decisions of each kernel in one walk: "Coding Ants", section 6.1.
#pragma once

#include "server/search/ant_system.h"

namespace tune {

// The best candidate so far with the decisions about each kernel from the candidate in which that kernel was
// the fastest.
class BestKernels : public ProposalSource {
 public:
  // Nothing is owned. Precondition of Propose: something was CORRECT.
  BestKernels(const ColonyMemory* memory, AntSystem* ants, const Walker* walker)
      : memory_(memory), ants_(ants), walker_(walker) {}

  std::optional<ProposalSequence::Entry> Propose(Random* random) override;

 private:
  const ColonyMemory* const memory_;
  AntSystem* const ants_;
  const Walker* const walker_;
};

}  // namespace tune
