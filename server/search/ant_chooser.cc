#include "server/search/ant_chooser.h"

#include <algorithm>
#include <cstdlib>

namespace tune {
namespace {

bool Any(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

// The allowed option next to `wanted`; of two the earlier.
int NearestAllowed(const DecisionPoint& point, int wanted) {
  int nearest = -1;
  for (int i = 0; i < static_cast<int>(point.options.size()); ++i) {
    if (!point.allowed[i]) continue;
    if (nearest < 0 || std::abs(i - wanted) < std::abs(nearest - wanted)) nearest = i;
  }
  return nearest;
}

}  // namespace

absl::StatusOr<int> AntChooser::Choose(const DecisionPoint& point) {
  std::vector<bool> open = filter_ == nullptr ? point.allowed : filter_->Filter(*table_, point);
  if (cursor_.has_value()) {
    const std::vector<bool> unmade = cursor_->Open(point);
    std::vector<bool> both = open;
    for (size_t i = 0; i < both.size(); ++i) both[i] = both[i] && unmade[i];
    if (Any(both)) {
      open = both;
    } else if (Any(unmade)) {
      open = unmade;
    }
  }
  const int chosen = DrawFrom(point, open);
  if (cursor_.has_value()) cursor_->Choose(chosen);
  return chosen;
}

int AntChooser::DrawFrom(const DecisionPoint& point, std::vector<bool> open) {
  std::vector<double> weights = graph_.Weights(point, open);
  const int chosen = random_->Draw(weights);
  if (record_ != nullptr) record_->push_back({point, std::move(open), std::move(weights), chosen, "drawn"});
  return chosen;
}

void AntChooser::WriteDown(const DecisionPoint& point, int chosen, const std::string& reason) {
  if (record_ == nullptr) return;
  record_->push_back({point, point.allowed, graph_.Weights(point, point.allowed), chosen, reason});
}

KnownWalk KnownWalkOf(const Trace& trace) {
  KnownWalk known;
  for (const TracedDecision& traced : trace) {
    known.options[traced.point.key] = traced.point.options[traced.chosen];
    if (CountAllowed(traced.point) > 1) known.free.push_back(traced.point.key);
  }
  return known;
}

absl::StatusOr<int> VariantChooser::Choose(const DecisionPoint& point) {
  const auto known = known_.find(point.key);
  if (known == known_.end()) return ant_->Choose(point);
  const auto option = std::find(point.options.begin(), point.options.end(), known->second);
  if (option == point.options.end()) return ant_->Choose(point);
  const int wanted = static_cast<int>(option - point.options.begin());
  if (changed_.count(point.key) > 0) {
    std::vector<bool> others = point.allowed;
    others[wanted] = false;
    if (Any(others)) return ant_->DrawFrom(point, others);
  }
  const int chosen = point.allowed[wanted] ? wanted : NearestAllowed(point, wanted);
  if (!ant_->records()) return chosen;
  ant_->WriteDown(point, chosen,
                  chosen == wanted ? "as in " + name_ : "nearest to that of " + name_ + " that is allowed");
  return chosen;
}

}  // namespace tune
