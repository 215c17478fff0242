// Configurations decided parameter by parameter.
#pragma once

#include "common/decision/chooser.h"
#include "common/parameters/parameter_space.h"

namespace tune {

// A place between the parameters that are decided and those that are not. The space outlives it.
class ParameterWalk {
 public:
  explicit ParameterWalk(const ParameterSpace& space);

  bool AtEnd() const { return part_ == space_.parts().size(); }
  // The parameter that is decided next. Not at the end.
  int parameter() const { return space_.parts()[part_].parameters[place_]; }
  // Its values that lead to valid configurations, ascending; at least one. Not at the end.
  absl::Span<const DecisionDiagram::Edge> options() const;
  // How many valid configurations have what was decided and the option.
  absl::uint128 CountOf(const DecisionDiagram::Edge& option) const;
  // Goes on. `option`: one of options().
  void Take(const DecisionDiagram::Edge& option);
  // Of the parameters that were decided; -1: not yet.
  const ParameterChoice& choice() const { return choice_; }

 private:
  void Enter();  // the part

  const ParameterSpace& space_;
  size_t part_ = 0;
  size_t place_ = 0;
  uint32_t node_ = 0;
  absl::uint128 later_ = 1;  // configurations of the parts after this one
  ParameterChoice choice_;
};

// Asks for each parameter that has several values, valid or not; a value is written as in Python. The default
// is that of `defaults` (indices of values, by parameter; empty: the middle one of each), or the allowed
// value next to it. Points say how many configurations each value leads to. Returns the configuration. Errors
// are the chooser's.
absl::StatusOr<ParameterChoice> WalkParameters(const ParameterSpace& space, absl::Span<const int> defaults,
                                               Chooser& chooser);

}  // namespace tune
