#include "common/kernel/trip_count.h"

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"

namespace tune {
namespace {

// `times` holds schedule prefixes that end with the member: { [outer, v] }.
int64_t TripCount(const isl::set& times) {
  if (times.is_empty()) return 0;
  const int outer = Dimensions(times, isl_dim_set) - 1;
  isl::map map = MapFromRange(times);                                               // [] -> [outer, v]
  const isl::map loop = MoveDimensions(map, isl_dim_in, 0, isl_dim_out, 0, outer);  // [outer] -> [v]
  const isl::set distances = loop.reverse().apply_range(loop).deltas().coalesce();  // { [v' - v] }
  const isl::val largest = distances.dim_max_val(0);
  if (!largest.is_int()) return -1;
  return largest.div(distances.stride(0)).floor().num_si() + 1;
}

}  // namespace

isl::set TimesOfBand(const isl::schedule_node_band& band, const isl::set& values) {
  const isl::union_set domain = NodeDomain(band).intersect_params(values);
  const isl::union_map own = isl::union_map::from(band.partial_schedule());  // S -> [members]
  const isl::union_map times =                                               // S -> [prefix, members]
      FlatRangeProduct(band.prefix_schedule_union_map(), own).intersect_domain(domain);
  const isl::union_set range = times.range();
  if (range.is_empty()) return {};
  // The values are known: what is left of the parameters would only be carried along.
  return range.as_set().project_out_all_params().coalesce();
}

std::vector<int64_t> TripCounts(const isl::schedule_node_band& band, const isl::set& values) {
  const int members = static_cast<int>(band.n_member());
  const int depth = ScheduleDepth(band);
  const isl::set points = TimesOfBand(band, values);
  if (points.is_null()) return std::vector<int64_t>(members, 0);
  std::vector<int64_t> counts;
  for (int i = 0; i < members; ++i) {
    const int used = depth + i + 1;
    counts.push_back(TripCount(ProjectOut(points, isl_dim_set, used, depth + members - used).coalesce()));
  }
  return counts;
}

}  // namespace tune
