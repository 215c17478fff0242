#include "common/transform/wavefront_tiles/wavefront_copies.h"

#include "common/isl/sets.h"
#include "common/transform/tiled_parts.h"

namespace tune {

isl::set InFewPieces(const isl::set& set) {
  const isl::set exact = set.coalesce();
  const isl::set hull = isl::set(SimpleHull(RemoveDivs(exact))).intersect(BoundingBox(exact));
  return hull.is_subset(exact) ? hull : exact;
}

std::vector<isl::set> DisjointPieces(const isl::set& set) {
  isl::set left = set.coalesce();
  std::vector<isl::set> parts, pieces;
  left.foreach_basic_set([&](const isl::basic_set& part) { parts.emplace_back(part); });
  for (const isl::set& part : parts) {
    const isl::set own = part.intersect(left);
    if (!own.is_empty()) pieces.push_back(InFewPieces(own));
    left = left.subtract(part);
  }
  return pieces;
}

}  // namespace tune
