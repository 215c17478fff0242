// Walks the space at random, from a seed.
#pragma once

#include "common/base/random.h"
#include "common/decision/chooser.h"

namespace tune::testing {

// Answers with any allowed option, each equally likely.
class RandomChooser : public Chooser {
 public:
  explicit RandomChooser(uint64_t seed) : random_(seed) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    return random_.Draw(std::vector<double>(point.allowed.begin(), point.allowed.end()));
  }

 private:
  Random random_;
};

}  // namespace tune::testing
