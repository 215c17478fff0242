// Sampling that narrows the space with a regression tree: Feng, Abdelrahman, "A Sampling-Based Approach to
// GPGPU Performance Auto-Tuning" (iWAPT 2017), "Sampling-Based Strategy Formulation".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/model/regression_tree.h"
#include "server/search/decision_table.h"
#include "server/search/uniform_sequence.h"

namespace tune {

// The paper's loop: sample n = sigma * k + b configurations from the region R, train a regression tree T with
// all samples S, let N be the leaf of T with the best predicted performance and P its path from the root;
// then R is the space narrowed by P's constraints. R begins as the space. The tree is scikit-learn's with its
// default parameters, as in the paper: targets are run times, splits lessen the squared error, leaves are
// split while they have two samples that differ. The evaluations that a study may use take the place of the
// tuning time tau.
//
// Decisions where the paper is silent:
// - k, the number of optimisations, is that of the decisions seen so far that have several options. n is
//   rounded up.
// - A sample is drawn uniformly from the configurations of R that were not proposed yet (UniformSequence):
//   where optimisations depend on each other these are those that the space allows, never a configuration
//   that breaks a constraint or the region. The first is the default configuration.
// - Where R holds no such configuration, the last constraint of P is dropped, then the one before it.
// - What the tree learns is the logarithm of the run time: the slowest samples of a space are often a hundred
//   times slower than its fast ones, and would have nearly all of the squared error.
// - A candidate that failed counts as slow as the slowest that did not. While all failed, R is the space.
// - Numbers are split by order, other options in the order first seen (DecisionTable).
class TreeSearch : public UniformSequence {
 public:
  // `options` with defaults filled in; `space` is not owned; seeds as ProposalSequence.
  TreeSearch(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds = {});

  // How many samples the next round takes: n.
  int64_t round_size() const { return size_; }

 private:
  int64_t Horizon() const override { return first_ + size_; }
  std::optional<Entry> Draw(int64_t index) override;
  void Generated(int64_t index) override;
  void Observed(int64_t index) override;
  void DescribeState(v1::Explanation* explanation) override;
  void EndRound();
  int64_t SizeFor(int optimisations) const;
  // P; empty while R is the space.
  const std::vector<PathStep>& path();
  // The space narrowed by the first `steps` steps of P.
  OptionFilter Narrowed(size_t steps);

  const v1::SearchOptions options_;
  int64_t first_ = 0;  // candidate of the round
  int64_t size_ = 1;   // of the round; 1 until candidate 0 tells how many decisions there are
  int64_t observed_ = 0;
  DecisionTable table_;                       // S
  std::optional<RegressionTree> regression_;  // T, grown when first needed
  std::vector<PathStep> path_;
};

}  // namespace tune
