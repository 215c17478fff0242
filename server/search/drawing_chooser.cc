#include "server/search/drawing_chooser.h"

#include <algorithm>
#include <cmath>

namespace tune {

int DrawingChooser::DrawFrom(const DecisionPoint& point, std::vector<bool> open) {
  std::vector<double> weights = WeightsOf(point, open);
  const int chosen = random_->Draw(weights);
  if (record_ != nullptr) record_->push_back({point, std::move(open), std::move(weights), chosen, "drawn"});
  return chosen;
}

void DrawingChooser::WriteDown(const DecisionPoint& point, int chosen, const std::string& reason) {
  if (record_ == nullptr) return;
  record_->push_back({point, point.allowed, WeightsOf(point, point.allowed), chosen, reason});
}

bool Any(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

int NearestAllowed(const DecisionPoint& point, double wanted) {
  int nearest = -1;
  for (int i = 0; i < static_cast<int>(point.options.size()); ++i) {
    if (!point.allowed[i]) continue;
    if (nearest < 0 || std::abs(i - wanted) < std::abs(nearest - wanted)) nearest = i;
  }
  return nearest;
}

}  // namespace tune
