// What follows what, in any number of steps.
#pragma once

#include <map>
#include <set>
#include <string>

namespace tune {

// From each name to those that directly follow it.
using Successors = std::map<std::string, std::set<std::string>>;

// All that follow one of `names`, in one step or several: also some of them, where there are cycles.
std::set<std::string> AllAfter(const std::set<std::string>& names, const Successors& successors);

}  // namespace tune
