#include "common/decision/simple_choices.h"

#include <algorithm>

#include "common/decision/offer.h"

namespace tune {

absl::StatusOr<int> ChooseOption(Chooser& chooser, const std::string& key,
                                 const std::vector<std::string>& options, int default_option,
                                 const std::vector<bool>& allowed) {
  return Ask(chooser, Offer{key, options, allowed}, default_option);
}

absl::StatusOr<int> ChooseUnlessForced(Chooser& chooser, const std::string& key,
                                       const std::vector<std::string>& options, int standard,
                                       const std::vector<bool>& allowed) {
  const int first = static_cast<int>(std::find(allowed.begin(), allowed.end(), true) - allowed.begin());
  if (std::count(allowed.begin(), allowed.end(), true) == 1) return first;
  if (standard < 0 || !allowed[standard]) standard = first;
  return ChooseOption(chooser, key, options, standard, allowed);
}

absl::StatusOr<bool> ChooseSwitch(Chooser& chooser, const std::string& key, bool on_is_default) {
  TUNE_ASSIGN_OR_RETURN(const int chosen, ChooseOption(chooser, key, {"on", "off"}, on_is_default ? 0 : 1));
  return chosen == 0;
}

}  // namespace tune
