#include "common/parameters/parameter_walk.h"

#include <cstdlib>
#include <utility>

#include "common/expression/value_text.h"

namespace tune {
namespace {

DecisionPoint PointOf(const TuningParameter& parameter, const ParameterWalk& walk, int wanted) {
  const auto options = walk.options();
  DecisionPoint point;
  point.key = parameter.name;
  for (const Value& value : parameter.values) point.options.push_back(PrintValue(value));
  point.allowed.assign(parameter.values.size(), false);
  point.walks.assign(parameter.values.size(), 0);
  point.default_option = options[0].value;
  for (const DecisionDiagram::Edge& option : options) {
    point.allowed[option.value] = true;
    point.walks[option.value] = static_cast<double>(walk.CountOf(option));
    if (std::abs(option.value - wanted) < std::abs(point.default_option - wanted))
      point.default_option = option.value;
  }
  return point;
}

const DecisionDiagram::Edge* FindOption(absl::Span<const DecisionDiagram::Edge> options, int value) {
  for (const DecisionDiagram::Edge& option : options) {
    if (option.value == value) return &option;
  }
  return nullptr;
}

}  // namespace

ParameterWalk::ParameterWalk(const ParameterSpace& space)
    : space_(space), later_(space.count()), choice_(space.parameters().size(), -1) {
  if (!AtEnd()) Enter();
}

void ParameterWalk::Enter() {
  const DecisionDiagram& diagram = space_.parts()[part_].diagram;
  place_ = 0;
  node_ = diagram.root();
  later_ /= diagram.CountOf(node_);
}

absl::Span<const DecisionDiagram::Edge> ParameterWalk::options() const {
  return space_.parts()[part_].diagram.EdgesOf(node_);
}

absl::uint128 ParameterWalk::CountOf(const DecisionDiagram::Edge& option) const {
  return space_.parts()[part_].diagram.CountOf(option.child) * later_;
}

void ParameterWalk::Take(const DecisionDiagram::Edge& option) {
  choice_[parameter()] = option.value;
  node_ = option.child;
  if (++place_ < space_.parts()[part_].parameters.size()) return;
  ++part_;
  if (!AtEnd()) Enter();
}

absl::StatusOr<ParameterChoice> WalkParameters(const ParameterSpace& space, absl::Span<const int> defaults,
                                               Chooser& chooser) {
  ParameterWalk walk(space);
  while (!walk.AtEnd()) {
    const TuningParameter& parameter = space.parameters()[walk.parameter()];
    const auto options = walk.options();
    if (parameter.values.size() == 1) {
      walk.Take(options[0]);
      continue;
    }
    const int wanted =
        defaults.empty() ? static_cast<int>((parameter.values.size() - 1) / 2) : defaults[walk.parameter()];
    TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(PointOf(parameter, walk, wanted)));
    const DecisionDiagram::Edge* option = FindOption(options, chosen);
    if (option == nullptr) return absl::InternalError("a masked option was chosen");
    walk.Take(*option);
  }
  return walk.choice();
}

}  // namespace tune
