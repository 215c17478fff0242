#include "server/search/known_walk.h"

#include <algorithm>

namespace tune {

KnownWalk KnownWalkOf(const Trace& trace) {
  KnownWalk known;
  for (const TracedDecision& traced : trace) {
    known.options[traced.point.key] = traced.point.options[traced.chosen];
    if (CountAllowed(traced.point) > 1) known.free.push_back(traced.point.key);
  }
  return known;
}

int PositionIn(const DecisionPoint& point, const std::map<std::string, std::string>& known) {
  const auto taken = known.find(point.key);
  if (taken == known.end()) return -1;
  const auto option = std::find(point.options.begin(), point.options.end(), taken->second);
  return option == point.options.end() ? -1 : static_cast<int>(option - point.options.begin());
}

absl::StatusOr<int> VariantChooser::Choose(const DecisionPoint& point) {
  const int wanted = PositionIn(point, known_);
  if (wanted < 0) return drawing_->Choose(point);
  if (changed_.count(point.key) > 0) {
    std::vector<bool> others = point.allowed;
    others[wanted] = false;
    if (Any(others)) return drawing_->DrawFrom(point, others);
  }
  const int chosen = point.allowed[wanted] ? wanted : NearestAllowed(point, wanted);
  if (!drawing_->records()) return chosen;
  drawing_->WriteDown(
      point, chosen,
      chosen == wanted ? "as in " + name_ : "nearest to that of " + name_ + " that is allowed");
  return chosen;
}

}  // namespace tune
