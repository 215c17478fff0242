// What a colony knows of the candidates that were evaluated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/search/decision_table.h"
#include "server/search/edge_experience.h"
#include "server/search/kernel_bests.h"
#include "server/search/known_walk.h"
#include "server/search/peaks.h"
#include "server/search/prior.h"
#include "server/search/proposal_sequence.h"
#include "server/search/tree_guide.h"

namespace tune {

// Everything but the trails. Not thread safe.
class ColonyMemory {
 public:
  struct Best {
    int64_t index = 0;
    double seconds = 0;
    Trace trace;
    std::vector<KernelResult> kernels;
    KnownWalk known;
  };

  // `known` elsewhere, as Prior.
  ColonyMemory(const std::vector<v1::KnownResults>& known, uint64_t seed) : prior_(known, seed) {}

  // What one candidate teaches. True when a kernel is faster than in all before.
  bool Learn(int64_t index, const ProposalSequence::Entry& entry);
  // Weighs the sources of the prior, and makes the tree and the models anew when first asked for, once a
  // tenth of the candidates is new to them.
  void EndIteration();

  // The three fastest at most, the fastest first; of equal times the lower index.
  const std::vector<Best>& bests() const { return bests_; }
  const Peaks& peaks() const { return peaks_; }
  const KernelBests& kernel_bests() const { return kernel_bests_; }
  const EdgeExperience& experience() const { return experience_; }
  const DecisionTable& table() const { return table_; }
  const Prior& prior() const { return prior_; }
  // What the prior expects of each row of the table; empty where there is no prior.
  std::vector<double> Expectations() const;
  // Of the table: what tree and models are to know; follows from the number of iterations alone.
  int known_rows() const { return known_rows_; }
  // Something that tree and models know was CORRECT.
  bool HasSuccess() const { return table_.HasSuccess(known_rows_); }
  // Precondition: HasSuccess().
  const TreeGuide& guide();

 private:
  std::vector<Best> bests_;
  Peaks peaks_;
  KernelBests kernel_bests_;
  EdgeExperience experience_;
  DecisionTable table_;
  Prior prior_;
  std::vector<Prior::Sayings> sayings_;  // by row of the table; empty where there is no prior
  int known_rows_ = 0;
  std::optional<TreeGuide> guide_;  // of known_rows_; made when first needed
};

// What an origin calls a candidate.
std::string CandidateName(int64_t index);

}  // namespace tune
