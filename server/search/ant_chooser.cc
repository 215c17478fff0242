#include "server/search/ant_chooser.h"

namespace tune {

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

}  // namespace tune
