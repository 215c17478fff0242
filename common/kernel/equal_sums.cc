#include "common/kernel/equal_sums.h"

#include "common/isl/dimensions.h"
#include "common/kernel/trip_count.h"

namespace tune {
namespace {

// { [p] } with any value in that dimension where there is one in `points`.
isl::set WithAnyValue(const isl::set& points, int dimension) {
  return InsertDimensions(ProjectOut(points, isl_dim_set, dimension, 1), isl_dim_set, dimension, 1);
}

}  // namespace

bool HasEqualSums(const isl::schedule_node_band& band, const std::vector<bool>& coincident,
                  const isl::set& values) {
  const isl::set points = TimesOfBand(band, values);
  if (points.is_null()) return true;
  isl::set sums = points, others = points;  // of the members that are not coincident, and of those that are
  const int depth = Dimensions(points, isl_dim_set) - static_cast<int>(coincident.size());
  for (size_t member = 0; member < coincident.size(); ++member) {
    isl::set& without = coincident[member] ? sums : others;
    without = WithAnyValue(without, depth + static_cast<int>(member));
  }
  return sums.intersect(others).is_subset(points);
}

}  // namespace tune
