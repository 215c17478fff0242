#include "worker/generate/decision_choosers.h"

#include "absl/strings/str_join.h"

namespace tune {

absl::StatusOr<int> SettingChooser::Choose(const DecisionPoint& point) {
  const auto setting = settings_.find(point.key);
  if (setting == settings_.end()) return point.default_option;
  std::vector<std::string> possible;
  for (size_t i = 0; i < point.options.size(); ++i) {
    if (!point.allowed[i]) continue;
    if (point.options[i] == setting->second) return static_cast<int>(i);
    possible.push_back(point.options[i]);
  }
  return absl::InvalidArgumentError(absl::StrCat("--set ", point.key, "=", setting->second,
                                                 ": not possible here; possible are ",
                                                 absl::StrJoin(possible, ", ")));
}

}  // namespace tune
