// Rules that reject choices for what is known of them without a run.
#pragma once

#include <vector>

#include "libtune/search/metric.h"

namespace libtune {

inline constexpr size_t kMostLinear = 16;

// Section 3.2.2 of Pfaffe, Grosser, Tillmann, whose Compute-Intensity is meant for kernels that are not bound
// by memory: there the quotient of operations and elements is low. tune.h has the meaning of each member.
struct FeedbackRule {
  tune_rule_kind kind;
  int parameter;
  int choice;
  double threshold;
  Metric first;
  Metric second;
  std::vector<int> linear;  // numeric parameters

  // The choice is not to be tried beside the others of `values`, in which numeric parameters have any value.
  bool Rejects(const ParameterSpace& space, const Values& values, const Inputs& inputs) const;
};

}  // namespace libtune
