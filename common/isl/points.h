// Points, which isl's C++ interface can neither make nor take apart. Every function throws isl::exception.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// All coordinates and parameters zero.
inline isl::point ZeroPoint(isl::space space) { return isl::manage(isl_point_zero(space.release())); }

inline isl::val CoordinateOf(const isl::point& point, isl_dim_type type, int position) {
  return isl::manage(isl_point_get_coordinate_val(point.get(), type, position));
}

inline isl::point WithCoordinate(isl::point point, isl_dim_type type, int position, isl::val value) {
  return isl::manage(isl_point_set_coordinate_val(point.release(), type, position, value.release()));
}

}  // namespace tune
