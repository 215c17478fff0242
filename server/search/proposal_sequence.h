// What all strategies share: candidates numbered in one sequence, the default first, none twice, the
// state rebuilt from observations.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>

#include "server/search/draw_record.h"
#include "server/search/kernel_results.h"
#include "server/search/strategy.h"
#include "server/search/walk_tree.h"

namespace tune {

// Generates candidate i when candidates 0..i-1 are known, always in this order, so that it depends on
// nothing but them (and on what the subclass learned from observations before its horizon). What was
// observed but not generated yet (after a restart) takes its recorded configuration instead of a draw.
class ProposalSequence : public Strategy {
 public:
  Proposals Propose(int n) final;
  Proposals ProposeAt(int64_t index) final;
  absl::Status Observe(const v1::Candidate& candidate) final;
  absl::StatusOr<v1::Explanation> ExplainNext() final;
  v1::Explanation ExplainState() final;
  int ForeignSeeds() const final { return foreign_seeds_; }

  // One generated candidate that the subclass has not released.
  struct Entry {
    Trace trace;
    absl::Status failure;
    std::optional<double> seconds;  // median; set when observed and CORRECT
    std::vector<KernelResult> kernels;
    bool observed = false;
    bool foreign = false;           // recorded by another version, whose decisions are not asked any more
    std::string origin;             // how it was drawn
    std::vector<DrawRecord> draws;  // its decisions; only while explaining
  };

  // For strategies that are made of others (portfolio.h), all of which number the same candidates.
  // Candidates below this index may be generated now.
  int64_t horizon() const { return Horizon(); }
  // What this one would draw as the next candidate; nothing when there is no walk that was not made. Below
  // the horizon, and not for candidate 0.
  std::optional<Entry> Suggest(bool explaining);
  // Takes what another drew as the next candidate, below the horizon.
  void Follow(const Entry& entry);
  // The result of a candidate that was followed.
  void FollowResult(int64_t index, const Entry& entry);

 protected:
  // `space` is not owned. `seeds` are walked right after the default; those that the space does not hold, or
  // that were walked already, are left out.
  ProposalSequence(Space* space, std::vector<v1::Configuration> seeds)
      : space_(space), seeds_(seeds.begin(), seeds.end()) {}

  // Candidates below this index may be generated now.
  virtual int64_t Horizon() const = 0;
  // A new walk, different from all in tree(); nullopt when there is none.
  virtual std::optional<Entry> Draw(int64_t index) = 0;
  // entries()[index] has just been generated.
  virtual void Generated(int64_t index) { static_cast<void>(index); }
  // entries()[index] has just become observed.
  virtual void Observed(int64_t index) = 0;

  // Adds what the subclass has learned, but for the graph.
  virtual void DescribeState(v1::Explanation* explanation) { static_cast<void>(explanation); }
  // Adds the edges of the decision graph.
  virtual void DescribeGraph(v1::Explanation* explanation) { static_cast<void>(explanation); }
  // Adds what the subclass knows of the options of one decision.
  virtual void DescribeOptions(const DrawRecord& draw, v1::ExplainedDecision* decision) {
    static_cast<void>(draw);
    static_cast<void>(decision);
  }
  // Draws write down what they saw.
  bool explaining() const { return explaining_; }

  // Walks with `chooser` and writes down what it was asked and answered.
  Entry WalkWith(Chooser& chooser);
  const WalkTree& tree() const { return tree_; }
  const std::map<int64_t, Entry>& entries() const { return entries_; }
  // Forgets the entries before the first that is not observed.
  void ReleaseObserved();
  // Forgets entries below `index`, all of which are observed.
  void ReleaseBelow(int64_t index) { entries_.erase(entries_.begin(), entries_.lower_bound(index)); }

 private:
  bool GenerateNext();
  // With the configuration that was recorded for it; null: by a draw.
  bool Generate(const v1::Candidate* recorded);
  void Add(Entry entry);
  Entry Recorded(const v1::Configuration& configuration);
  // The next seed that is a new walk; takes those before it away.
  std::optional<Entry> TakeSeed();
  void ExplainDraw(const DrawRecord& draw, v1::ExplainedDecision* decision);
  void MarkObserved(int64_t index, const v1::Candidate& candidate);

  Space* space_;
  std::deque<v1::Configuration> seeds_;  // not yet walked
  int foreign_seeds_ = 0;                // of those no longer in seeds_
  WalkTree tree_;                        // of the candidates generated
  int64_t next_ = 0;                     // to be generated
  bool exhausted_ = false;
  bool explaining_ = false;
  std::map<int64_t, Entry> entries_;        // generated, not released
  std::map<int64_t, v1::Candidate> early_;  // observed, not generated
};

}  // namespace tune
