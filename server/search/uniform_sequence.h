// Walks that are drawn uniformly: what the strategies besides the ants begin with.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "server/search/known_walk.h"
#include "server/search/proposal_sequence.h"
#include "server/search/tree_guide.h"

namespace tune {

// Every open option is equally likely.
class EvenChooser : public DrawingChooser {
 public:
  using DrawingChooser::DrawingChooser;
  absl::StatusOr<int> Choose(const DecisionPoint& point) override { return DrawFrom(point, point.allowed); }

 protected:
  std::vector<double> WeightsOf(const DecisionPoint& point, const std::vector<bool>& open) const override {
    return {open.begin(), open.end()};
  }
};

class UniformSequence : public ProposalSequence {
 protected:
  using ProposalSequence::ProposalSequence;

  // A part of the space.
  struct Region {
    const DecisionTable* table = nullptr;
    const OptionFilter* filter = nullptr;  // null: everywhere
  };

  // A walk of the region that was not made; all are equally likely. Exactly so everywhere in a space that
  // knows how many walks it has (DecisionPoint::walks). Else some are drawn decision by decision, each with
  // probability p, and of them one in proportion to 1 / p (importance resampling: Rubin 1987), which is
  // nearly so. A walk that cannot go on within the region, since earlier decisions forbid what is left of it,
  // is none of its walks. Nothing when there is none, or none was found.
  std::optional<Entry> NewWalk(const Region& region, Random* random);
  std::optional<Entry> NewWalk(Random* random) { return NewWalk({}, random); }

  // As a known walk, but for the changed decisions (keys). `name`: of the known walk, for explanations.
  Entry WalkAsVariant(const KnownWalk& known, const std::set<std::string>& changed, const std::string& name,
                      Random* random);

  bool IsNew(const Entry& entry) const { return !tree().Contains(entry.trace); }

 private:
  struct Attempt {
    Entry entry;
    Trace within;               // the walk with what the region leaves of its options, up to its dead end
    bool succeeded = false;     // it is a new walk of the region
    bool counted = true;        // the space knows how many walks each of its options leads to
    double log_likelihood = 0;  // of drawing it
  };
  // `closed`: what is known to be no new walk of the region.
  Attempt Try(const Region& region, const WalkTree& closed, Random* random);
};

}  // namespace tune
