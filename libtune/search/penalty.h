// What a search is told of a point that cannot be run.
#pragma once

#include <algorithm>

namespace libtune {

// A non-stationary penalty (Joines, Houck 1994): as slow as the slowest point so far, and worse with the
// square of the search's `step`, so that late in the search no path leads through what is forbidden.
inline double Penalty(double slowest, double step) {
  const double weight = 0.5 * step;
  return std::max(slowest, 1e-9) * (1 + weight * weight);
}

}  // namespace libtune
