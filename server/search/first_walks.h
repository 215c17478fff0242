// Walks before anything is known of the space.
#pragma once

#include "server/search/ant_system.h"

namespace tune {

// All walks are about as likely. Where the space has not counted them, they are drawn with probability 1 /
// product of the numbers of open options: to draw one of them in proportion to the product makes up for that
// (importance resampling: Rubin 1987). Of ten walks five are drawn so, and of these the one is taken that is
// the least like those of the ants before: the first candidates are all that the models have to begin with.
class FirstWalks : public ProposalSource {
 public:
  // Nothing is owned.
  FirstWalks(AntSystem* ants, const Walker* walker) : ants_(ants), walker_(walker) {}

  std::optional<ProposalSequence::Entry> Propose(Random* random) override;

 private:
  // In how many decisions the walk differs from that of the latest hundred ants of the iteration most like
  // it.
  int LeastDistance(const Trace& trace) const;

  AntSystem* const ants_;
  const Walker* const walker_;
};

}  // namespace tune
