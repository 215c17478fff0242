// Where ants' walks come from.
#pragma once

#include <optional>

#include "common/base/random.h"
#include "server/search/proposal_sequence.h"

namespace tune {

// One way to come to a walk that may be worth an evaluation. AntColony has a list of them, and says which ant
// asks which.
class ProposalSource {
 public:
  virtual ~ProposalSource() = default;
  // The walk of an ant that draws from `random`. Nothing when this source has none, or only such as were
  // made.
  virtual std::optional<ProposalSequence::Entry> Propose(Random* random) = 0;
};

// What sources know of the search that they propose to.
class Walker {
 public:
  virtual ~Walker() = default;
  // Walks the space with `chooser` and writes down what it was asked and answered.
  virtual ProposalSequence::Entry Walk(Chooser& chooser) = 0;
  // The walks that were made.
  virtual const WalkTree& made() const = 0;
  // The ants of the iteration that have a walk, by index.
  virtual const std::map<int64_t, ProposalSequence::Entry>& ants() const = 0;
  // Draws write down what they saw.
  virtual bool explaining() const = 0;

  bool IsNew(const ProposalSequence::Entry& entry) const { return !made().Contains(entry.trace); }
};

}  // namespace tune
