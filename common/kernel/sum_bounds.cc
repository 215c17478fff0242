#include "common/kernel/sum_bounds.h"

#include <algorithm>

#include "common/isl/dimensions.h"
#include "common/kernel/trip_count.h"

namespace tune {
namespace {

// { [p] } with any value in that dimension where there is one in `points`.
isl::set WithAnyValue(const isl::set& points, int dimension) {
  return InsertDimensions(ProjectOut(points, isl_dim_set, dimension, 1), isl_dim_set, dimension, 1);
}

}  // namespace

std::vector<bool> MembersThatBoundSums(const isl::schedule_node_band& band,
                                       const std::vector<bool>& coincident, const isl::set& values) {
  std::vector<bool> bound(coincident.size(), false);
  if (std::find(coincident.begin(), coincident.end(), false) == coincident.end()) return bound;  // no sums
  const isl::set points = TimesOfBand(band, values);
  if (points.is_null()) return bound;
  const int depth = Dimensions(points, isl_dim_set) - static_cast<int>(coincident.size());
  isl::set sums = points;  // with any iteration of the sums
  for (size_t member = 0; member < coincident.size(); ++member) {
    if (!coincident[member]) sums = WithAnyValue(sums, depth + static_cast<int>(member));
  }
  for (size_t member = 0; member < coincident.size(); ++member) {
    if (!coincident[member]) continue;
    const isl::set others = WithAnyValue(points, depth + static_cast<int>(member));
    bound[member] = !sums.intersect(others).is_subset(points);
  }
  return bound;
}

}  // namespace tune
