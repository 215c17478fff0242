// The one callback through which every decision of a candidate is asked.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

// What is being decided.
struct DecisionPoint {
  // Identity in the decision graph: what is decided and for which kernel, never the path that led
  // there. "schedule.algorithm", "k[S0,S1].tile_size_0", "k[S3]@1.unroll_factor_2".
  std::string key;
  std::vector<std::string> options;  // at least one
  std::vector<bool> allowed;         // parallel to options, at least one true
  int default_option = 0;            // index, allowed
  // What configurations that were recorded before there was this decision stand for: index, allowed; -1:
  // there are none.
  int unrecorded_option = -1;
  // How many walks each option leads to, parallel to options, 0 where not allowed; empty: nobody has counted.
  std::vector<double> walks = {};
};

// How many options are allowed.
inline int CountAllowed(const DecisionPoint& point) {
  return static_cast<int>(std::count(point.allowed.begin(), point.allowed.end(), true));
}

// Decides. A walk calls Choose once per decision, in an order that depends only on the answers so far.
class Chooser {
 public:
  virtual ~Chooser() = default;
  // Index of an allowed option. An error ends the walk and is its result.
  virtual absl::StatusOr<int> Choose(const DecisionPoint& point) = 0;
};

}  // namespace tune
