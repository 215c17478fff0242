#include "common/decision/simple_choices.h"

#include <algorithm>

namespace tune {

absl::StatusOr<int> ChooseOption(Chooser& chooser, const std::string& key,
                                 const std::vector<std::string>& options, int default_option,
                                 const std::vector<bool>& allowed) {
  DecisionPoint point;
  point.key = key;
  point.options = options;
  point.allowed = allowed.empty() ? std::vector<bool>(options.size(), true) : allowed;
  point.default_option = default_option;
  return chooser.Choose(point);
}

absl::StatusOr<int> ChooseUnlessForced(Chooser& chooser, const std::string& key,
                                       const std::vector<std::string>& options, int standard,
                                       const std::vector<bool>& allowed) {
  const int first = static_cast<int>(std::find(allowed.begin(), allowed.end(), true) - allowed.begin());
  if (std::count(allowed.begin(), allowed.end(), true) == 1) return first;
  if (standard < 0 || !allowed[standard]) standard = first;
  return ChooseOption(chooser, key, options, standard, allowed);
}

int64_t Nearest(const std::vector<int64_t>& values, const std::vector<bool>& allowed, int64_t wanted) {
  int64_t nearest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (allowed[i] && (nearest == 0 || values[i] <= wanted)) nearest = values[i];
  }
  return nearest;
}

absl::StatusOr<int64_t> ChooseNumber(Chooser& chooser, const std::string& key,
                                     const std::vector<int64_t>& values, const std::vector<bool>& allowed,
                                     int64_t default_value) {
  std::vector<std::string> options;
  int default_option = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    options.push_back(absl::StrCat(values[i]));
    if (values[i] == default_value) default_option = static_cast<int>(i);
  }
  TUNE_ASSIGN_OR_RETURN(const int chosen, ChooseOption(chooser, key, options, default_option, allowed));
  return values[chosen];
}

absl::StatusOr<bool> ChooseSwitch(Chooser& chooser, const std::string& key, bool on_is_default) {
  TUNE_ASSIGN_OR_RETURN(const int chosen, ChooseOption(chooser, key, {"on", "off"}, on_is_default ? 0 : 1));
  return chosen == 0;
}

}  // namespace tune
