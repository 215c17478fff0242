#include "common/dependence/reachability.h"

#include <vector>

namespace tune {

std::set<std::string> AllAfter(const std::set<std::string>& names, const Successors& successors) {
  std::set<std::string> found;
  std::vector<std::string> open(names.begin(), names.end());
  while (!open.empty()) {
    const auto next = successors.find(open.back());
    open.pop_back();
    if (next == successors.end()) continue;
    for (const std::string& name : next->second) {
      if (found.insert(name).second) open.push_back(name);
    }
  }
  return found;
}

}  // namespace tune
