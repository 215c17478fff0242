#include "tests/simt/copies.h"

#include <utility>

namespace tune::simt {

void Copies::Commit() { groups_.push_back(std::exchange(begun_, {})); }

std::optional<Copy> Copies::Next(int open) {
  if (open < 0 && !begun_.empty()) Commit();
  while (!groups_.empty() && (open < 0 || groups_.size() > static_cast<size_t>(open))) {
    std::vector<Copy>& group = groups_.front();
    if (group.empty()) {
      groups_.pop_front();
      continue;
    }
    const Copy copy = group.back();
    group.pop_back();
    return copy;
  }
  return std::nullopt;
}

}  // namespace tune::simt
