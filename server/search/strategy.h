// What to evaluate next.
#pragma once

#include <memory>
#include <vector>

#include "common/base/status.h"
#include "server/search/space.h"
#include "tune/v1/explanation.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

struct Proposal {
  int64_t index = 0;                // of the candidate; 0 is the default configuration
  v1::Configuration configuration;  // the decisions up to the failure when there is one
  absl::Status failure;             // not OK: the walk failed, the outcome is COMPILE without a run
};

struct Proposals {
  std::vector<Proposal> candidates;
  bool exhausted = false;  // the space holds no configurations besides those proposed so far
};

// Deterministic: what Propose returns is a function of the options, the space, and the candidates
// observed. One thread at a time.
class Strategy {
 public:
  virtual ~Strategy() = default;

  // The first n candidates, by index, that are not observed yet and that do not depend on what is not
  // observed yet: fewer than n when a decision must wait for an observation, or at the end of the space.
  // Does not change what any other call returns. No configuration is proposed twice.
  virtual Proposals Propose(int n) = 0;
  // Of these the one with that index alone; none when it is observed, or must wait.
  virtual Proposals ProposeAt(int64_t index) = 0;

  // Tells the result of a proposed candidate: an evaluation, or that it was lost. Each candidate once,
  // in any order; a repeat is ignored. After a restart, observing the recorded candidates, with their
  // recorded configurations, brings a new strategy to the same state. A candidate that is not CORRECT
  // counts as infinitely slow. INVALID_ARGUMENT when it has no evaluation or a negative index.
  virtual absl::Status Observe(const v1::Candidate& candidate) = 0;

  // Draws the next candidate that was not proposed before, and tells how: the explanation without `notes`. To
  // explain candidate i, observe 0..i-1 first. OUT_OF_RANGE when the space is exhausted, FAILED_PRECONDITION
  // when the draw must wait for observations.
  virtual absl::StatusOr<v1::Explanation> ExplainNext() = 0;
  // The state of the search as it stands: an explanation without decisions.
  virtual v1::Explanation ExplainState() = 0;
  // How many of the seeds whose turn has come the space does not hold.
  virtual int ForeignSeeds() const = 0;
};

// `options` with defaults filled in. `space` is not owned. `seeds` are proposed right after the default
// configuration, those that the space does not hold left out; "carving" proposes nothing else. `known` is
// what is known of the same computation elsewhere, which the ants expect here as well. INVALID_ARGUMENT for
// an unknown strategy.
absl::StatusOr<std::unique_ptr<Strategy>> MakeStrategy(const v1::SearchOptions& options, Space* space,
                                                       std::vector<v1::Configuration> seeds = {},
                                                       const std::vector<v1::KnownResults>& known = {});

}  // namespace tune
