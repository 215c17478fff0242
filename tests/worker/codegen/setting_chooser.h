// Walks the space along settings.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "common/decision/chooser.h"

namespace tune::testing {

// Answers with the default option, except where another is set, key to option. INVALID_ARGUMENT when that is
// not possible.
class SettingChooser : public Chooser {
 public:
  explicit SettingChooser(std::map<std::string, std::string> settings) : settings_(std::move(settings)) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    const auto setting = settings_.find(point.key);
    if (setting == settings_.end()) return point.default_option;
    for (size_t i = 0; i < point.options.size(); ++i) {
      if (point.options[i] == setting->second && point.allowed[i]) return static_cast<int>(i);
    }
    return absl::InvalidArgumentError(absl::StrCat(point.key, " = ", setting->second, " is not possible"));
  }

 private:
  const std::map<std::string, std::string> settings_;
};

}  // namespace tune::testing
