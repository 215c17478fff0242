// Sets that isl's C++ interface leaves out. Every function throws isl::exception.
#pragma once

#include "common/isl/checked.h"

namespace tune {

// With explicit integer divisions.
inline isl::set ComputeDivs(isl::set set) { return isl::manage(isl_set_compute_divs(set.release())); }

// Without constraints that need them: a superset.
inline isl::set RemoveDivs(isl::set set) { return isl::manage(isl_set_remove_divs(set.release())); }

// Integer divisions become dimensions.
inline isl::basic_set Lift(isl::basic_set set) { return isl::manage(isl_basic_set_lift(set.release())); }

inline isl::set MakeDisjoint(isl::set set) { return isl::manage(isl_set_make_disjoint(set.release())); }

// A convex superset of the constraints at hand.
inline isl::basic_set SimpleHull(isl::set set) { return isl::manage(isl_set_simple_hull(set.release())); }

// The smallest convex superset of its rational points.
inline isl::basic_set ConvexHull(isl::set set) { return isl::manage(isl_set_convex_hull(set.release())); }

inline int PieceCount(const isl::set& set) { return Checked(isl_set_n_basic_set(set.get()), set.ctx()); }

// The same set in one piece, where its convex hull has no further integer points. Hulls of many pieces take
// long: such a set stays as it is.
inline isl::set InOnePiece(const isl::set& set) {
  constexpr int kMostPieces = 4;
  if (PieceCount(set) < 2 || PieceCount(set) > kMostPieces) return set;
  const isl::set hull(ConvexHull(set));
  return hull.is_subset(set) ? hull : set;
}

// The same set in pieces that do not meet, unless these are many more. Dependences of a set with itself are
// computed from each piece to each: where pieces meet, these intersect further at every step.
inline isl::set InDisjointPieces(const isl::set& set) {
  if (PieceCount(set) < 2) return set;
  const isl::set disjoint = MakeDisjoint(set).coalesce();
  return PieceCount(disjoint) <= 2 * PieceCount(set) ? disjoint : set;
}

// For every parameter.
inline bool IsBounded(const isl::set& set) { return Checked(isl_set_is_bounded(set.get()), set.ctx()); }

// The dual: coefficients of affine forms that are not negative on the set (Farkas).
inline isl::basic_set Coefficients(isl::set set) { return isl::manage(isl_set_coefficients(set.release())); }

inline isl::basic_set BasicSetFromParameters(isl::basic_set set) {
  return isl::manage(isl_basic_set_from_params(set.release()));
}

// Of how many tuples it is.
inline int SetCount(const isl::union_set& set) { return Checked(isl_union_set_n_set(set.get()), set.ctx()); }

}  // namespace tune
