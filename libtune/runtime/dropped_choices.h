// Choices that are never taken again.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "libtune/search/parameter_space.h"

namespace libtune {

using DroppedChoices = std::vector<std::pair<int, int>>;  // parameter and choice

// Whether some parameter has a dropped choice in `values`.
inline bool IsDropped(const DroppedChoices& dropped, const Values& values) {
  return std::any_of(dropped.begin(), dropped.end(),
                     [&](const std::pair<int, int>& one) { return values[one.first] == one.second; });
}

}  // namespace libtune
