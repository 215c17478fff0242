// A function is tried in a process of its own before it is called in this one.
#pragma once

#include <functional>

namespace libtune {

// True when `call` returns true in a child of this process within `seconds`; false when it returns false
// there, ends the child, by a fault or otherwise, or takes longer. The child has a copy of all memory and
// none of the other threads; what it does to files and devices stays.
bool SurvivesInChild(double seconds, const std::function<bool()>& call);

}  // namespace libtune
