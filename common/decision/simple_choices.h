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

// The largest of `values`, which ascend, that is allowed and not above `wanted`; else the smallest that is
// allowed.
int64_t Nearest(const std::vector<int64_t>& values, const std::vector<bool>& allowed, int64_t wanted);

// Asks for one of `values`, those in `allowed` as ChooseOption. `default_value` is one of them.
absl::StatusOr<int64_t> ChooseNumber(Chooser& chooser, const std::string& key,
                                     const std::vector<int64_t>& values, const std::vector<bool>& allowed,
                                     int64_t default_value);

// Asks for "on" or "off".
absl::StatusOr<bool> ChooseSwitch(Chooser& chooser, const std::string& key, bool on_is_default);

}  // namespace tune
