// Names of loops' bounds.
#pragma once

#include <algorithm>
#include <string>

#include "common/program/helper_names.h"

namespace tune {

// HelperNames::least or bound, with the number of the loop's iterator behind it.
inline std::string BoundName(const HelperNames& names, const std::string& bound,
                             const std::string& iterator) {
  return bound + iterator.substr(std::min(iterator.size(), names.iterator.size()));
}

}  // namespace tune
