// What single dimensions may be, which isl's C++ interface leaves out. Every function throws isl::exception.
#pragma once

#include <cstdint>
#include <vector>

#include "common/isl/checked.h"

namespace tune {

inline isl::basic_set Fix(isl::basic_set set, isl_dim_type type, int position, isl::val value) {
  return isl::manage(isl_basic_set_fix_val(set.release(), type, position, value.release()));
}
inline isl::map Fix(isl::map map, isl_dim_type type, int position, int value) {
  return isl::manage(isl_map_fix_si(map.release(), type, position, value));
}
inline isl::map Fix(isl::map map, isl_dim_type type, int position, isl::val value) {
  return isl::manage(isl_map_fix_val(map.release(), type, position, value.release()));
}
inline isl::set Fix(isl::set set, isl_dim_type type, int position, int value) {
  return isl::manage(isl_set_fix_si(set.release(), type, position, value));
}
inline isl::set Fix(isl::set set, isl_dim_type type, int position, isl::val value) {
  return isl::manage(isl_set_fix_val(set.release(), type, position, value.release()));
}

// At least `value`.
inline isl::map LowerBound(isl::map map, isl_dim_type type, int position, int value) {
  return isl::manage(isl_map_lower_bound_si(map.release(), type, position, value));
}
inline isl::set LowerBound(isl::set set, isl_dim_type type, int position, int value) {
  return isl::manage(isl_set_lower_bound_si(set.release(), type, position, value));
}
inline isl::set LowerBound(isl::set set, isl_dim_type type, int position, isl::val value) {
  return isl::manage(isl_set_lower_bound_val(set.release(), type, position, value.release()));
}

// At most `value`.
inline isl::map UpperBound(isl::map map, isl_dim_type type, int position, int value) {
  return isl::manage(isl_map_upper_bound_si(map.release(), type, position, value));
}
inline isl::set UpperBound(isl::set set, isl_dim_type type, int position, isl::val value) {
  return isl::manage(isl_set_upper_bound_val(set.release(), type, position, value.release()));
}
inline isl::set UpperBound(isl::set set, isl_dim_type type, int position, int value) {
  return isl::manage(isl_set_upper_bound_si(set.release(), type, position, value));
}

inline bool HasUpperBound(const isl::set& set, isl_dim_type type, int position) {
  return Checked(isl_set_dim_has_upper_bound(set.get(), type, position), set.ctx());
}

// Whether any of `count` dimensions from `first` matters.
inline bool Involves(const isl::aff& value, isl_dim_type type, int first, int count) {
  return Checked(isl_aff_involves_dims(value.get(), type, first, count), value.ctx());
}
inline bool Involves(const isl::map& map, isl_dim_type type, int first, int count) {
  return Checked(isl_map_involves_dims(map.get(), type, first, count), map.ctx());
}
inline bool Involves(const isl::pw_aff& value, isl_dim_type type, int first, int count) {
  return Checked(isl_pw_aff_involves_dims(value.get(), type, first, count), value.ctx());
}
inline bool Involves(const isl::set& set, isl_dim_type type, int first, int count) {
  return Checked(isl_set_involves_dims(set.get(), type, first, count), set.ctx());
}

inline isl::basic_set DropConstraintsInvolving(isl::basic_set set, isl_dim_type type, int first, int count) {
  return isl::manage(isl_basic_set_drop_constraints_involving_dims(set.release(), type, first, count));
}

// Two dimensions are equal.
inline isl::map Equate(isl::map map, isl_dim_type left_type, int left, isl_dim_type right_type, int right) {
  return isl::manage(isl_map_equate(map.release(), left_type, left, right_type, right));
}

// The least and the greatest value, as functions of the parameters, or of the domain for a map.
inline isl::pw_aff DimensionMin(isl::map map, int position) {
  return isl::manage(isl_map_dim_min(map.release(), position));
}
inline isl::pw_aff DimensionMin(isl::set set, int position) {
  return isl::manage(isl_set_dim_min(set.release(), position));
}
inline isl::pw_aff DimensionMax(isl::map map, int position) {
  return isl::manage(isl_map_dim_max(map.release(), position));
}
inline isl::pw_aff DimensionMax(isl::set set, int position) {
  return isl::manage(isl_set_dim_max(set.release(), position));
}

// { A[a] -> A[a + d] } for 0 <= d < extents.
inline isl::map Windows(const isl::space& space, const std::vector<int64_t>& extents) {
  isl::set distances = isl::set::universe(space);
  for (size_t i = 0; i < extents.size(); ++i) {
    distances = LowerBound(distances, isl_dim_set, static_cast<int>(i), 0);
    distances = UpperBound(distances, isl_dim_set, static_cast<int>(i), static_cast<int>(extents[i] - 1));
  }
  return distances.translation();
}

// The value that constraints say at once, NaN for none.
inline isl::val PlainFixedValue(const isl::set& set, isl_dim_type type, int position) {
  return isl::manage(isl_set_plain_get_val_if_fixed(set.get(), type, position));
}

}  // namespace tune
