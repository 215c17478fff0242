// What the program said of a region before its first call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libtune/search/feedback_rule.h"
#include "libtune/search/hierarchical_search.h"

namespace libtune {

struct RegionDefinition {
  std::string name;
  std::string arguments;  // for capture files
  ParameterSpace space;
  std::vector<FeedbackRule> rules;
  std::optional<int> variant_parameter;
  std::vector<tune_function> variants;  // its choices
  Values defaults;                      // of `space`

  // Some rule rejects what `parameter` has in `values`.
  bool Rejects(int parameter, const Values& values, const Inputs& inputs) const {
    for (const FeedbackRule& rule : rules) {
      if (rule.parameter == parameter && rule.Rejects(space, values, inputs)) return true;
    }
    return false;
  }
};

}  // namespace libtune
