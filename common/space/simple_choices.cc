#include "common/space/simple_choices.h"

namespace tune {

absl::StatusOr<int64_t> ChooseNumber(Chooser& chooser, const std::string& key,
                                     const std::vector<int64_t>& values, const std::vector<bool>& allowed,
                                     int64_t default_value) {
  DecisionPoint point;
  point.key = key;
  point.allowed = allowed;
  for (size_t i = 0; i < values.size(); ++i) {
    point.options.push_back(absl::StrCat(values[i]));
    if (values[i] == default_value) point.default_option = static_cast<int>(i);
  }
  TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(point));
  return values[chosen];
}

absl::StatusOr<bool> ChooseSwitch(Chooser& chooser, const std::string& key, bool on_is_default) {
  DecisionPoint point;
  point.key = key;
  point.options = {"on", "off"};
  point.allowed = {true, true};
  point.default_option = on_is_default ? 0 : 1;
  TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(point));
  return chosen == 0;
}

}  // namespace tune
