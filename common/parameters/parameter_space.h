// A space of tuning parameters with constraints, counted and indexed without listing it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "common/base/random.h"
#include "common/parameters/decision_diagram.h"
#include "common/parameters/parameter_space_description.h"

namespace tune {

// A value of each parameter, as an index among its values.
using ParameterChoice = std::vector<int>;

// The configurations for which all constraints are true. Parameters are split into components, of which no
// constraint uses parameters of two; the valid configurations of each are a decision diagram (Rasch et al.,
// ATF, have a tree there). Immutable; several threads may use it.
class ParameterSpace {
 public:
  struct Part {
    std::vector<int> parameters;  // in the order in which they are decided
    DecisionDiagram diagram;
  };

  // INVALID_ARGUMENT: two parameters of one name, a parameter without values or with a value twice, a
  // constraint with an unknown name, or without a value at a configuration that the others allow.
  // FAILED_PRECONDITION: no configuration is valid; the message has constraints that contradict each other.
  // RESOURCE_EXHAUSTED: constraints tell too many configurations apart for the limits.
  static absl::StatusOr<ParameterSpace> Make(ParameterSpaceDescription description,
                                             const ParameterSpaceLimits& limits = {});

  const std::vector<TuningParameter>& parameters() const { return description_.parameters; }
  const std::vector<Part>& parts() const { return parts_; }
  // How many configurations are valid; at least one.
  absl::uint128 count() const { return count_; }
  // How many there are without constraints.
  double product() const;
  // Of all diagrams.
  size_t node_count() const;

  // The configuration of an index. Precondition: index < count().
  ParameterChoice At(absl::uint128 index) const;
  // Nothing where the configuration is not valid or not one of these parameters.
  std::optional<absl::uint128> IndexOf(absl::Span<const int> choice) const;
  // Each valid configuration is as likely as any other.
  ParameterChoice Draw(Random& random) const;

 private:
  ParameterSpaceDescription description_;
  std::vector<Part> parts_;
  absl::uint128 count_ = 1;
};

}  // namespace tune
