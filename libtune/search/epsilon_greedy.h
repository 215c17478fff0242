// Epsilon-greedy search among choices that no distance orders.
#pragma once

#include <optional>
#include <vector>

#include "libtune/search/random.h"

namespace libtune {

struct Exploration {
  double epsilon = 0.05;  // how often a choice is drawn instead of the best one taken
  double decay = 0.1;     // what epsilon loses with each draw
};

// First every choice once, in their order from `first` on; then the one of the least time seen with it, or
// with probability epsilon any. Epsilon decays from the first choice on. A rejected choice is never taken.
class EpsilonGreedy {
 public:
  EpsilonGreedy(int count, int first, const Exploration& exploration);

  // A choice; nothing when all are rejected. Where `may_try` is false none is tried for the first time, but
  // for the very first one.
  std::optional<int> Next(Random* random, bool may_try = true);
  void Observe(int choice, double seconds);
  void Reject(int choice);
  // There are choices that were not tried.
  bool HasUntried() const { return untried_ > 0; }
  // Every choice was observed or rejected, and epsilon is below a hundredth: it takes the best one from now
  // on.
  bool Settled() const { return untried_ == 0 && epsilon_ < 0.01; }

 private:
  struct Choice {
    double seconds = 0;  // the least; 0: not observed
    bool rejected = false;
  };

  std::optional<int> Untried() const;
  // Of those that were observed.
  std::optional<int> Best() const;
  std::optional<int> Drawn(Random* random) const;

  std::vector<Choice> choices_;
  const int first_;
  double epsilon_;
  const double decay_;
  int untried_;
  int allowed_;
};

}  // namespace libtune
