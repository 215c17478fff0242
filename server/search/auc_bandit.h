// Which of several techniques to use next, by what they found so far.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "common/base/random.h"

namespace tune {

// Multi-armed bandit with a sliding window and credit by the area under the curve (Fialho et al. 2010), as in
// OpenTuner (Ansel et al. 2014, section 3.2.1): the technique t that makes
//
//   AUC_t + C sqrt(2 log2 |H| / H_t)
//
// largest, where H is the history of the latest uses, H_t how many of them are of t, and AUC_t the area under
// the curve that goes up for every use of t which found a new best, weighed so that it is 1 when all did:
// 2 / (H_t (H_t + 1)) * sum of i over the uses i = 1 .. H_t of t, the oldest first, that found one.
class AucBandit {
 public:
  // OpenTuner's defaults.
  static constexpr size_t kWindow = 500;
  static constexpr double kExploration = 0.05;  // C

  explicit AucBandit(int techniques) : techniques_(techniques) {}

  // `gained`: the use found a new best.
  void Add(int technique, bool gained);
  // AUC_t; 0 where there are no uses.
  double Credit(int technique) const;
  // One that was never used comes first; of equal ones one is drawn.
  int Choose(Random* random) const;

 private:
  struct Use {
    int technique = 0;
    bool gained = false;
  };

  const int techniques_;
  std::deque<Use> history_;  // the latest last
};

}  // namespace tune
