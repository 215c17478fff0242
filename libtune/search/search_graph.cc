#include "libtune/search/search_graph.h"

#include <set>
#include <utility>

namespace libtune {
namespace {

std::set<std::pair<int, int>> ConditionsOf(const Parameter& parameter) {
  std::set<std::pair<int, int>> conditions;
  for (const Condition& condition : parameter.conditions)
    conditions.insert({condition.parent, condition.choice});
  return conditions;
}

}  // namespace

void NominalNode::Apply(const ParameterSpace& space, int combination, Values* values) const {
  for (const int parameter : parameters) {
    const int count = static_cast<int>(space.at(parameter).choices.size());
    (*values)[parameter] = combination % count;
    combination /= count;
  }
}

int NominalNode::CombinationOf(const ParameterSpace& space, const Values& values) const {
  int combination = 0;
  for (size_t i = parameters.size(); i-- > 0;) {
    combination = combination * static_cast<int>(space.at(parameters[i]).choices.size()) +
                  static_cast<int>(values[parameters[i]]);
  }
  return combination;
}

SearchGraph::SearchGraph(const ParameterSpace& space) : space_(space), node_of_(space.size(), -1) {
  for (int i = 0; i < space.size(); ++i) {
    if (space.at(i).nominal()) {
      nominal_.push_back(i);
      Place(i);
    } else {
      numeric_.push_back(i);
    }
  }
  for (NominalNode& node : nodes_) node.ancestors = AncestorsOf(node.parameters.front());
}

void SearchGraph::Place(int parameter) {
  const int count = static_cast<int>(space_.at(parameter).choices.size());
  const auto conditions = ConditionsOf(space_.at(parameter));
  for (size_t i = 0; i < nodes_.size(); ++i) {
    NominalNode& node = nodes_[i];
    if (count > kMostCombinations / node.combinations) continue;
    if (ConditionsOf(space_.at(node.parameters.front())) != conditions) continue;
    node.parameters.push_back(parameter);
    node.combinations *= count;
    node_of_[parameter] = static_cast<int>(i);
    return;
  }
  node_of_[parameter] = static_cast<int>(nodes_.size());
  nodes_.push_back({{parameter}, {}, count});
}

std::vector<int> SearchGraph::AncestorsOf(int parameter) const {
  std::set<int> ancestors;
  for (const Condition& condition : space_.at(parameter).conditions) {
    ancestors.insert(condition.parent);
    const NominalNode& node = nodes_[node_of_[condition.parent]];
    // What is searched together is one choice of the level above.
    ancestors.insert(node.parameters.begin(), node.parameters.end());
    ancestors.insert(node.ancestors.begin(), node.ancestors.end());
  }
  return {ancestors.begin(), ancestors.end()};
}

}  // namespace libtune
