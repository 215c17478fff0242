// MAX-MIN ant system (Stuetzle, Hoos 2000) in the hyper-cube framework (Blum, Dorigo 2004), as in
// "Coding Ants", equations 2, 3 and 5, with the extensions of its section 6.
#pragma once

#include <functional>
#include <optional>

#include "server/search/ant_chooser.h"
#include "server/search/edge_experience.h"
#include "server/search/kernel_bests.h"
#include "server/search/known_walk.h"
#include "server/search/peaks.h"
#include "server/search/pheromone_graph.h"
#include "server/search/proposal_sequence.h"
#include "server/search/tree_guide.h"
#include "server/search/walk_model.h"

namespace tune {

// Candidates i * ants .. (i + 1) * ants - 1 are the ants of iteration i; ant 0 of iteration 0 takes every
// default. All of them draw from the trails as iteration i - 1 left them, so they may be evaluated in
// parallel and observed in any order; the trails change once, when the last is observed:
// evaporation everywhere, deposit by one ant, the iteration's best in the first two iterations (and
// when there is no other), the best so far from then on. Candidates that are not CORRECT never deposit;
// of equal times the lower index counts as better.
//
// A configuration is not proposed twice: an ant whose walk was made before draws again, up to ten
// times, then takes a walk by the same weights over those options only that lead to walks not made.
//
// Extensions, each of which can be switched off:
// - Kernels (6.1): the decisions about each kernel get half a deposit from the ant in which that kernel was
//   the fastest; where a kernel improved, ant 0 of the next iteration walks as the best so far with all
//   kernels' best decisions.
// - Metrics (6.2): the desirability of options, from hardware counters (edge_experience.h).
// - Tree (6.3): from the second iteration on each ant looks at several walks and takes the one of which the
//   most improvement is expected (walk_model.h), taking the results of the iteration's ants before it as
//   expected. Of every ten ants
//   - five make seven walks in the regression tree's region of the best so far, and seven variants of the
//     three best candidates, each with one or two other decisions;
//   - two make ten walks in a region drawn from the tree, then climb: twenty times a variant of the one of
//     which they expect most;
//   - three make ten variants of one peak (peaks.h): the best are mostly neighbours of each other, and where
//     they are on a lower hill, no single change leads from it to a higher one.
//   In the first iteration an ant draws five of ten walks, with weights that make up for branches of few
//   walks being walked as often as those of many, and takes the one that is the least like those of the ants
//   before it. The tree is grown anew once a tenth of the candidates is new to it.
class AntColony : public ProposalSequence {
 public:
  // `options` with defaults filled in; `space` is not owned; seeds as ProposalSequence.
  AntColony(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds = {});

  const PheromoneGraph& graph();
  int64_t iteration() const { return iteration_; }
  // Null when there is none: switched off, or nothing was CORRECT yet.
  const TreeGuide* guide();

 private:
  struct Best {
    int64_t index = 0;
    double seconds = 0;
    Trace trace;
    std::vector<KernelResult> kernels;
    KnownWalk known;
  };
  struct Region {
    std::string origin;   // of its walks, for explanations
    OptionFilter filter;  // empty: everywhere
  };

  int64_t Horizon() const override { return (iteration_ + 1) * ants_; }
  std::optional<Entry> Draw(int64_t index) override;
  void Observed(int64_t index) override;
  void DescribeState(v1::Explanation* explanation) override;
  void DescribeGraph(v1::Explanation* explanation) const override;
  void DescribeOptions(const DrawRecord& draw, v1::ExplainedDecision* decision) const override;
  void EndIteration();
  void Learn(int64_t index, const Entry& entry);
  void DepositOnKernels();
  // Those of the graph, when candidates were learned from since they were set. Every iteration changes them,
  // and only draws and explanations need them.
  void BringDesirabilitiesUpToDate();

  bool IsNew(const Entry& entry) const { return !tree().Contains(entry.trace); }
  // `avoid_made`: among those not made yet, as far as there are such.
  Entry WalkIn(const Region& region, Random* random, bool avoid_made = false);
  Entry WalkAnywhere(Random* random, bool avoid_made = false);
  // As a known walk, but for one or two decisions. `name`: of the known walk, for explanations.
  Entry WalkAsVariant(const KnownWalk& known, const std::string& name, Random* random);
  std::optional<Entry> WalkAsBestKernels(Random* random);
  // Takes known options (by key) but for those of the changed keys.
  Entry WalkAsKnown(const std::map<std::string, std::string>& known, const std::set<std::string>& changed,
                    const std::string& name, Random* random);
  std::optional<Entry> FirstWalk(Random* random);
  std::optional<Entry> WalkWithTree(int64_t index, Random* random);
  std::optional<Entry> WalkNearTheBest(Random* random);
  std::optional<Entry> WalkElsewhere(Random* random);
  std::optional<Entry> VariantOfAPeak(Random* random);
  // Of those of walk(0, ...) .. walk(count - 1, ...) that were not made yet. Nothing when all were. A walk is
  // told the most promising one before it; null: there is none.
  std::optional<Entry> MostPromising(int count, const std::function<Entry(int, const Entry*)>& walk);
  // In how many decisions the walk differs from that of the latest hundred ants of the iteration most like
  // it.
  int LeastDistance(const Trace& trace) const;
  // That of the guide's candidates, which there is. The process, having seen the iteration's ants so far.
  const WalkModel& model();
  const GaussianProcess& ProcessWithAnts(const WalkModel& model);
  // Of the options that the walk takes.
  double LeastReliability(const Trace& trace) const;
  std::optional<Entry> AnyNewWalk(Random* random);

  const v1::SearchOptions options_;
  const int64_t ants_;
  int64_t iteration_ = 0;
  int64_t observed_ = 0;  // of the ants of iteration_
  PheromoneGraph graph_;
  EdgeExperience experience_;
  bool desirabilities_are_old_ = false;
  KernelBests kernel_bests_;
  bool kernels_improved_ = false;  // in the last iteration
  std::vector<Best> bests_;        // the fastest first
  Peaks peaks_;
  DecisionTable table_;
  int guide_rows_ = 0;              // of the table, which the guide is to know; follows from iteration_ alone
  std::optional<TreeGuide> guide_;  // both made when first needed
  std::optional<WalkModel> model_;
  std::optional<GaussianProcess> process_;  // that of the model, with the iteration's ants below expected_
  int64_t expected_ = 0;
};

}  // namespace tune
