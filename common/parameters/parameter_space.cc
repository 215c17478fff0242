#include "common/parameters/parameter_space.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/expression/evaluator.h"
#include "common/expression/value_text.h"
#include "common/parameters/contradiction.h"
#include "common/parameters/diagram_builder.h"

namespace tune {
namespace {

absl::Status CheckParameters(const ParameterSpaceDescription& description,
                             const ParameterSpaceLimits& limits) {
  if (static_cast<int64_t>(description.parameters.size()) > limits.parameters) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", description.parameters.size(),
                                                   " parameters, more than ", limits.parameters));
  }
  std::set<std::string> names;
  for (const TuningParameter& parameter : description.parameters) {
    if (!names.insert(parameter.name).second || description.constants.contains(parameter.name))
      return absl::InvalidArgumentError(absl::StrCat("the name ", parameter.name, " is given twice"));
    if (parameter.values.empty())
      return absl::InvalidArgumentError(absl::StrCat("parameter ", parameter.name, " has no values"));
    std::set<std::string> values;
    for (const Value& value : parameter.values) {
      const std::string text = PrintValue(value);
      if (!values.insert(text).second) {
        return absl::InvalidArgumentError(
            absl::StrCat("parameter ", parameter.name, " has the value ", text, " twice"));
      }
    }
  }
  return absl::OkStatus();
}

// As many configurations as a count holds, whatever constraints allow.
absl::Status CheckProduct(double product) {
  constexpr double kMost = 1e38;
  if (product <= kMost) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the parameters' values make ", product,
                                                 " configurations, more than ", kMost,
                                                 "; give parameters fewer values"));
}

// Uniform below the bound.
absl::uint128 Below(Random& random, absl::uint128 bound) {
  if (absl::Uint128High64(bound) == 0) return random.Below(absl::Uint128Low64(bound));
  const absl::uint128 most = absl::Uint128Max() / bound * bound;
  absl::uint128 drawn = most;
  while (drawn >= most) {
    const uint64_t high = random.Next();
    drawn = absl::MakeUint128(high, random.Next());
  }
  return drawn % bound;
}

}  // namespace

absl::StatusOr<ParameterSpace> ParameterSpace::Make(ParameterSpaceDescription description,
                                                    const ParameterSpaceLimits& limits) {
  TUNE_RETURN_IF_ERROR(CheckParameters(description, limits));
  TUNE_ASSIGN_OR_RETURN(std::vector<ParameterConstraint> constraints, PrepareConstraints(description));
  TUNE_ASSIGN_OR_RETURN(const Candidates candidates,
                        FilterValues(description, limits.evaluation, &constraints));
  ParameterSpace space;
  space.description_ = std::move(description);
  TUNE_RETURN_IF_ERROR(CheckProduct(space.product()));
  BuildBudget budget{limits.states, limits.trials};
  absl::Status failed;  // of a component; says nothing where another one is empty
  for (Component& component : OrderParameters(constraints, CountsOf(candidates))) {
    auto diagram = BuildDiagram(space.description_, constraints, candidates, component, limits, &budget);
    if (absl::IsInvalidArgument(diagram.status())) {
      failed.Update(diagram.status());
      continue;
    }
    TUNE_RETURN_IF_ERROR(diagram.status());
    if (!diagram->has_value())
      return ExplainEmptiness(space.description_, constraints, candidates, component, limits);
    space.count_ *= (*diagram)->CountOf((*diagram)->root());
    space.parts_.push_back({std::move(component.parameters), **std::move(diagram)});
  }
  TUNE_RETURN_IF_ERROR(failed);
  return space;
}

double ParameterSpace::product() const {
  double product = 1;
  for (const TuningParameter& parameter : parameters())
    product *= static_cast<double>(parameter.values.size());
  return product;
}

size_t ParameterSpace::node_count() const {
  size_t count = 0;
  for (const Part& part : parts_) count += part.diagram.node_count();
  return count;
}

ParameterChoice ParameterSpace::At(absl::uint128 index) const {
  ParameterChoice choice(parameters().size());
  absl::uint128 rest_count = count_;
  for (const Part& part : parts_) {
    uint32_t node = part.diagram.root();
    rest_count /= part.diagram.CountOf(node);
    absl::uint128 within = index / rest_count;
    index %= rest_count;
    for (const int parameter : part.parameters) {
      for (const DecisionDiagram::Edge& edge : part.diagram.EdgesOf(node)) {
        const absl::uint128 below = part.diagram.CountOf(edge.child);
        if (within < below) {
          choice[parameter] = edge.value;
          node = edge.child;
          break;
        }
        within -= below;
      }
    }
  }
  return choice;
}

std::optional<absl::uint128> ParameterSpace::IndexOf(absl::Span<const int> choice) const {
  if (choice.size() != parameters().size()) return std::nullopt;
  absl::uint128 index = 0;
  for (const Part& part : parts_) {
    uint32_t node = part.diagram.root();
    index *= part.diagram.CountOf(node);
    for (const int parameter : part.parameters) {
      const DecisionDiagram::Edge* taken = nullptr;
      for (const DecisionDiagram::Edge& edge : part.diagram.EdgesOf(node)) {
        if (edge.value == choice[parameter]) {
          taken = &edge;
          break;
        }
        index += part.diagram.CountOf(edge.child);
      }
      if (taken == nullptr) return std::nullopt;
      node = taken->child;
    }
  }
  return index;
}

ParameterChoice ParameterSpace::Draw(Random& random) const { return At(Below(random, count_)); }

}  // namespace tune
