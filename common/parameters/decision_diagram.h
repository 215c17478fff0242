// The valid configurations of some parameters as a decision diagram.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/types/span.h"

namespace tune {

// A node for each way in which what was chosen so far matters for the rest: one edge for each value that
// still leads to a valid configuration. All ways from the root to the end are as long, and are the valid
// configurations. Immutable once built.
class DecisionDiagram {
 public:
  struct Edge {
    int32_t value;   // index among the parameter's values; ascending within a node
    uint32_t child;  // node
  };
  static constexpr uint32_t kEnd = 0;  // the node at which all parameters are decided

  DecisionDiagram();

  // Adds a node that decides over nodes that were added before. At least one edge.
  uint32_t Add(absl::Span<const Edge> edges);
  void SetRoot(uint32_t root) { root_ = root; }

  uint32_t root() const { return root_; }
  size_t node_count() const { return nodes_.size(); }
  size_t edge_count() const { return edges_.size(); }
  absl::Span<const Edge> EdgesOf(uint32_t node) const;
  // Valid configurations of what is decided from the node on.
  absl::uint128 CountOf(uint32_t node) const { return nodes_[node].count; }

 private:
  struct Node {
    absl::uint128 count;
    uint32_t first_edge;
    uint32_t edge_count;
  };

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  uint32_t root_ = kEnd;
};

}  // namespace tune
