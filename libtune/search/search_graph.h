// A space of parameters as a graph of small spaces that are searched one under the other.
#pragma once

#include <cstdint>
#include <vector>

#include "libtune/search/parameter_space.h"

namespace libtune {

// Nominal parameters with the same conditions: they exist together or not at all, and are searched as one
// choice among all their combinations.
struct NominalNode {
  std::vector<int> parameters;
  std::vector<int>
      ancestors;  // the parameters that its conditions depend on, over all levels; in their order
  int combinations = 1;

  // Sets what the combination says in `values`, and reads it from there.
  void Apply(const ParameterSpace& space, int combination, Values* values) const;
  int CombinationOf(const ParameterSpace& space, const Values& values) const;
};

// More combinations than that are not searched as one: the parameters are dealt out to nodes that stand side
// by side, each as if the others were none of its business.
inline constexpr int kMostCombinations = 64;

// Numeric parameters make one node, of those that exist: none of two that exist together can be searched
// without the other. Immutable.
class SearchGraph {
 public:
  explicit SearchGraph(const ParameterSpace& space);

  const ParameterSpace& space() const { return space_; }
  // Ancestors first.
  const std::vector<NominalNode>& nodes() const { return nodes_; }
  const std::vector<int>& numeric() const { return numeric_; }
  // All nominal ones.
  const std::vector<int>& nominal() const { return nominal_; }
  // The node of a nominal parameter.
  int NodeOf(int parameter) const { return node_of_[parameter]; }

 private:
  void Place(int parameter);
  std::vector<int> AncestorsOf(int parameter) const;

  const ParameterSpace& space_;
  std::vector<NominalNode> nodes_;
  std::vector<int> numeric_;
  std::vector<int> nominal_;
  std::vector<int> node_of_;
};

}  // namespace libtune
