// How a reference is named.
#pragma once

#include <string>
#include <utility>

namespace tune {

// A reference: a statement and the number of its access.
using ReferenceName = std::pair<std::string, int>;

}  // namespace tune
