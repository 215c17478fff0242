#include "common/transform/wavefront_tiles/wavefront_copies.h"

#include "common/isl/sets.h"
#include "common/transform/tiled_parts.h"

namespace tune {

isl::set InFewPieces(const isl::set& set) {
  const isl::set exact = set.coalesce();
  const isl::set hull = isl::set(SimpleHull(RemoveDivs(exact))).intersect(BoundingBox(exact));
  return hull.is_subset(exact) ? hull : exact;
}

}  // namespace tune
