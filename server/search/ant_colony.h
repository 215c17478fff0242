// Ant colony search, "Coding Ants": the ant system and what else proposes walks, behind one acquisition
// function.
#pragma once

#include <vector>

#include "server/search/acquisition.h"
#include "server/search/ant_system.h"
#include "server/search/anywhere.h"
#include "server/search/best_kernels.h"
#include "server/search/colony_memory.h"
#include "server/search/drawn_regions.h"
#include "server/search/first_walks.h"
#include "server/search/known_elsewhere.h"
#include "server/search/near_the_best.h"
#include "server/search/peak_variants.h"

namespace tune {

// The first iteration has the options' number of ants, later ones half as many; ant 0 of the first takes
// every default. What is learned changes once, when the last ant of an iteration is observed: so they may be
// evaluated in parallel and observed in any order. A configuration is not proposed twice.
//
// Each ant asks one source (proposal_source.h) for its walk, and where that has none the next:
// - AntSystem: the paper's ants, which all others fall back on;
// - BestKernels (6.1): ant 0, where a kernel improved in the iteration before;
// - KnownElsewhere: where something is known, the first iteration, which is then as short as the others, and
//   every other ant later on;
// - FirstWalks: the first iteration;
// - of every ten ants later on, three NearTheBest, three Anywhere, three PeakVariants, one DrawnRegions
// (6.3):
//   these look at many walks and take the one that the acquisition function (acquisition.h) gives the highest
//   value.
// no_tree leaves the latter two lines to the ant system, no_kernel_updates BestKernels.
class AntColony : public ProposalSequence, private Walker {
 public:
  // `options` with defaults filled in; `space` is not owned; seeds as ProposalSequence, `known` as Prior.
  AntColony(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds = {},
            const std::vector<v1::KnownResults>& known = {});

  const PheromoneGraph& graph() { return ants_.graph(); }
  int64_t iteration() const { return number_; }

 private:
  int64_t Horizon() const override { return first_ + size_; }
  std::optional<Entry> Draw(int64_t index) override;
  void Observed(int64_t index) override;
  void DescribeState(v1::Explanation* explanation) override;
  void DescribeGraph(v1::Explanation* explanation) override;
  void DescribeOptions(const DrawRecord& draw, v1::ExplainedDecision* decision) override;

  Entry Walk(Chooser& chooser) override { return WalkWith(chooser); }
  const WalkTree& made() const override { return tree(); }
  const std::map<int64_t, Entry>& ants() const override { return entries(); }
  bool explaining() const override { return ProposalSequence::explaining(); }

  // In the order in which the ant asks them.
  std::vector<ProposalSource*> SourcesOf(int64_t index);
  // Who looks at many walks for an ant. Precondition: HasTree().
  ProposalSource* ModelledSourceOf(int64_t index);
  // There is a tree, and a model: not switched off, and something was CORRECT.
  bool HasTree() const { return !options_.no_tree() && memory_.HasSuccess(); }
  int64_t LaterAnts() const;
  void EndIteration();

  const v1::SearchOptions options_;
  int64_t number_ = 0;             // of the iteration
  int64_t first_ = 0;              // candidate of the iteration
  int64_t size_ = 0;               // ants of the iteration
  int64_t observed_ = 0;           // of these
  bool kernels_improved_ = false;  // in the last iteration
  ColonyMemory memory_;
  AntSystem ants_;
  Acquisition acquisition_;
  BestKernels best_kernels_;
  KnownElsewhere known_elsewhere_;
  FirstWalks first_walks_;
  NearTheBest near_the_best_;
  Anywhere anywhere_;
  DrawnRegions drawn_regions_;
  PeakVariants peak_variants_;
};

}  // namespace tune
