// Tests of relations with many pieces, by way of one piece that contains them.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// { X -> Y } with the constraints that all pieces of a relation between the same spaces have in common: a
// superset of one piece.
inline isl::union_map SimpleHull(const isl::union_map& relations) {
  isl::union_map hull = isl::union_map::empty(relations.ctx());
  relations.foreach_map(
      [&](const isl::map& map) { hull = hull.unite(isl::union_map(isl::map(map.unshifted_simple_hull()))); });
  return hull;
}

// Whether each X has at most one Y. Exact; fast where the hull, too, is a function. Parts of a function are
// functions.
inline bool IsFunction(const isl::union_map& relations) {
  return SimpleHull(relations).is_single_valued() || relations.is_single_valued();
}

// The same function of `domain`, { X }, in one piece where its hull is a function; else `relations`.
inline isl::union_map SimplifiedFunction(const isl::union_map& relations, const isl::union_set& domain) {
  const isl::union_map hull = SimpleHull(relations).intersect_domain(domain);
  return hull.is_single_valued() ? hull : relations;
}

// Whether each Y has at most one X.
inline bool IsOneToOne(const isl::union_map& relations) {
  return SimpleHull(relations).is_injective() || relations.is_injective();
}

}  // namespace tune
