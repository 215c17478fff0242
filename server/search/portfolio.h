// Several strategies, of which a bandit picks the one that draws the next candidate.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/search/auc_bandit.h"
#include "server/search/proposal_sequence.h"

namespace tune {

// Feng and Abdelrahman's extension: the regression tree in the bandit of other strategies, which are the
// ants, local search and differential evolution. All number the same candidates and are told all results, so
// that each goes on from what the others found.
//
// The turns of a round of five candidates are fixed at its beginning: from what earlier rounds found, each
// turn counted at once as a use without a gain, so that one strategy does not take the whole round. The use
// counts as a gain when its candidate is faster than all before it by number. Where a strategy must wait for
// results, all do. The default and the seeds are nobody's uses.
class Portfolio : public ProposalSequence {
 public:
  // `options` with defaults filled in; `space` is not owned; seeds as ProposalSequence, `known` as Prior.
  Portfolio(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds = {},
            const std::vector<v1::KnownResults>& known = {});

  static constexpr int64_t kRound = 5;

  // The bandit with all rounds that ended.
  const AucBandit& bandit() const { return bandit_; }

 private:
  struct Member {
    std::string name;
    std::unique_ptr<ProposalSequence> strategy;
  };

  int64_t Horizon() const override;
  std::optional<Entry> Draw(int64_t index) override;
  void Generated(int64_t index) override;
  void Observed(int64_t index) override;
  void DescribeState(v1::Explanation* explanation) override;
  void EndRound();
  void PlanRound();

  const uint64_t seed_;
  const std::set<std::string> seeds_;  // fingerprints of configurations that nobody draws
  std::vector<Member> members_;
  AucBandit bandit_;
  int64_t first_ = 0;                   // candidate of the round
  int64_t observed_ = 0;                // of the round
  std::vector<int> turns_;              // of the round
  std::optional<double> best_seconds_;  // of all rounds that ended
};

}  // namespace tune
