// Choosers for code that is made without a search.
#pragma once

#include <map>
#include <set>
#include <string>

#include "common/base/random.h"
#include "common/decision/chooser.h"

namespace tune {

// Answers with the default option, except where another is set, key to option. INVALID_ARGUMENT, with what
// would be possible, when that is not.
class SettingChooser : public Chooser {
 public:
  explicit SettingChooser(std::map<std::string, std::string> settings) : settings_(std::move(settings)) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override;

 private:
  const std::map<std::string, std::string> settings_;
};

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

}  // namespace tune
