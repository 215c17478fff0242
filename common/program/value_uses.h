// What becomes of the values that statements write.
#pragma once

#include <map>
#include <set>
#include <string>

namespace tune {

// Of all instances of one statement together.
struct ValueUse {
  std::set<std::string> readers;  // statements of which some instance reads one of the values
  bool outlives = false;          // some value is the last one of an element that outlives the region
  bool operator==(const ValueUse&) const = default;
};

// By statement. One that is missing here may be read by any, and outlives the region.
using ValueUses = std::map<std::string, ValueUse>;

}  // namespace tune
