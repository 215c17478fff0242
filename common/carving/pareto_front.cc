#include "common/carving/pareto_front.h"

#include <algorithm>
#include <numeric>

namespace tune {

std::vector<std::optional<size_t>> SurpassedBy(const std::vector<TradeOff>& points, double margin) {
  std::vector<size_t> order(points.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return points[a].efficiency > points[b].efficiency; });
  const double factor = 1 + std::max(margin, 0.0);
  std::vector<std::optional<size_t>> by(points.size());
  size_t more_efficient = 0;  // so many of `order` are by more than the margin
  std::optional<size_t> most_used;
  for (const size_t point : order) {
    const double bound = points[point].efficiency * factor;
    for (; points[order[more_efficient]].efficiency > bound; ++more_efficient) {
      const size_t other = order[more_efficient];
      // Equal ones come in falling efficiency, then in order of their indices: the first one stays.
      if (!most_used.has_value() || points[other].utilization > points[*most_used].utilization)
        most_used = other;
    }
    if (most_used.has_value() && points[*most_used].utilization > points[point].utilization * factor)
      by[point] = most_used;
  }
  return by;
}

}  // namespace tune
