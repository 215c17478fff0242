#include "common/kernel/iteration_boxes.h"

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"
#include "common/kernel/trip_count.h"

namespace tune {

bool AreBoxes(const isl::schedule_node_band& band, const isl::set& values) {
  const int members = static_cast<int>(band.n_member());
  const isl::set times = TimesOfBand(band, values);  // { [prefix, members] }
  if (times.is_null() || members < 2) return true;
  const isl::map loops =
      MoveDimensions(MapFromRange(times), isl_dim_in, 0, isl_dim_out, 0, ScheduleDepth(band));
  isl::map boxes;  // [prefix] -> [members]
  for (int i = 0; i < members; ++i) {
    const isl::map behind = ProjectOut(loops, isl_dim_out, i + 1, members - i - 1);
    const isl::map own = ProjectOut(behind, isl_dim_out, 0, i);
    boxes = boxes.is_null() ? own : FlatRangeProduct(boxes, own);
  }
  return boxes.is_subset(loops);
}

}  // namespace tune
