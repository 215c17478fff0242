// Decisions of common forms.
#pragma once

#include <cstdint>

#include "common/decision/chooser.h"

namespace tune {

// Asks for one of `options`; returns its index. `allowed`: those that are; empty: all.
absl::StatusOr<int> ChooseOption(Chooser& chooser, const std::string& key,
                                 const std::vector<std::string>& options, int default_option,
                                 const std::vector<bool>& allowed = {});

// As above, but asks only where several are allowed. Where `standard`, an index or -1, is not one of them,
// the first of them is the default.
absl::StatusOr<int> ChooseUnlessForced(Chooser& chooser, const std::string& key,
                                       const std::vector<std::string>& options, int standard,
                                       const std::vector<bool>& allowed);

// Asks for "on" or "off".
absl::StatusOr<bool> ChooseSwitch(Chooser& chooser, const std::string& key, bool on_is_default);

}  // namespace tune
