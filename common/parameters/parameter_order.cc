#include "common/parameters/parameter_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace tune {
namespace {

int FindRoot(std::vector<int>* parents, int parameter) {
  while ((*parents)[parameter] != parameter)
    parameter = (*parents)[parameter] = (*parents)[(*parents)[parameter]];
  return parameter;
}

// Orders one component: greedily from each of its parameters; the cheapest order wins.
class ComponentOrder {
 public:
  ComponentOrder(const std::vector<ParameterConstraint>& constraints, const std::vector<int>& value_counts,
                 const Component& component)
      : constraints_(constraints), value_counts_(value_counts), component_(component) {}

  std::vector<int> Best() const {
    std::vector<int> best = component_.parameters;
    double best_cost = Cost(best);
    constexpr size_t kMostStarts = 50;
    for (size_t i = 0; i < std::min(kMostStarts, component_.parameters.size()); ++i) {
      const std::vector<int> order = GreedyFrom(component_.parameters[i]);
      const double cost = Cost(order);
      if (cost >= best_cost) continue;
      best = order;
      best_cost = cost;
    }
    return best;
  }

 private:
  // How many of the constraint's parameters are not bound.
  std::vector<int> Missing() const {
    std::vector<int> missing;
    for (const int c : component_.constraints)
      missing.push_back(static_cast<int>(constraints_[c].scope.size()));
    return missing;
  }
  bool Uses(size_t constraint, int parameter) const {
    const std::vector<int>& scope = constraints_[component_.constraints[constraint]].scope;
    return std::binary_search(scope.begin(), scope.end(), parameter);
  }

  std::vector<int> GreedyFrom(int first) const {
    std::vector<int> order;
    std::vector<int> left = component_.parameters;
    std::vector<int> missing = Missing();
    for (int next = first;;) {
      order.push_back(next);
      left.erase(std::find(left.begin(), left.end(), next));
      for (size_t c = 0; c < missing.size(); ++c) missing[c] -= Uses(c, next) ? 1 : 0;
      if (left.empty()) return order;
      next = *std::min_element(left.begin(), left.end(),
                               [&](int a, int b) { return Rank(a, missing) < Rank(b, missing); });
    }
  }

  // Small for what should come soon: completes constraints, begins few, adds to ones that are begun.
  std::tuple<int, int, int, int> Rank(int parameter, const std::vector<int>& missing) const {
    int completed = 0;
    int begun = 0;
    int continued = 0;
    for (size_t c = 0; c < missing.size(); ++c) {
      if (!Uses(c, parameter)) continue;
      const bool is_begun =
          missing[c] < static_cast<int>(constraints_[component_.constraints[c]].scope.size());
      completed += missing[c] == 1 ? 1 : 0;
      continued += is_begun ? 1 : 0;
      begun += !is_begun && missing[c] > 1 ? 1 : 0;
    }
    return {-completed, begun, -continued, value_counts_[parameter]};
  }

  // About how many beginnings constraints that are begun tell apart, over all places of the order.
  double Cost(const std::vector<int>& order) const {
    std::vector<int> missing = Missing();
    double cost = 0;
    for (size_t place = 0; place < order.size(); ++place) {
      for (size_t c = 0; c < missing.size(); ++c) missing[c] -= Uses(c, order[place]) ? 1 : 0;
      double states = 1;
      for (size_t i = 0; i <= place; ++i) {
        const auto is_live = [&](size_t c) { return missing[c] > 0 && Uses(c, order[i]); };
        bool live = false;
        for (size_t c = 0; c < missing.size() && !live; ++c) live = is_live(c);
        if (live) states *= value_counts_[order[i]];
      }
      cost += states;
    }
    return cost;
  }

  const std::vector<ParameterConstraint>& constraints_;
  const std::vector<int>& value_counts_;
  const Component& component_;
};

}  // namespace

std::vector<Component> OrderParameters(const std::vector<ParameterConstraint>& constraints,
                                       const std::vector<int>& value_counts) {
  std::vector<int> parents(value_counts.size());
  std::iota(parents.begin(), parents.end(), 0);
  for (const ParameterConstraint& constraint : constraints) {
    for (const int parameter : constraint.scope) {
      // The smaller one is the root: a component stands where its first parameter does.
      const int a = FindRoot(&parents, parameter);
      const int b = FindRoot(&parents, constraint.scope[0]);
      parents[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<Component> components;
  std::vector<int> place(value_counts.size(), -1);
  for (size_t parameter = 0; parameter < value_counts.size(); ++parameter) {
    const int root = FindRoot(&parents, static_cast<int>(parameter));
    if (place[root] < 0) {
      place[root] = static_cast<int>(components.size());
      components.emplace_back();
    }
    components[place[root]].parameters.push_back(static_cast<int>(parameter));
  }
  for (size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].scope.empty()) continue;
    components[place[FindRoot(&parents, constraints[i].scope[0])]].constraints.push_back(static_cast<int>(i));
  }
  for (Component& component : components) {
    if (component.parameters.size() > 1)
      component.parameters = ComponentOrder(constraints, value_counts, component).Best();
  }
  return components;
}

}  // namespace tune
