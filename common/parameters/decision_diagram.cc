#include "common/parameters/decision_diagram.h"

namespace tune {

DecisionDiagram::DecisionDiagram() : nodes_{{1, 0, 0}} {}

uint32_t DecisionDiagram::Add(absl::Span<const Edge> edges) {
  Node node{0, static_cast<uint32_t>(edges_.size()), static_cast<uint32_t>(edges.size())};
  for (const Edge& edge : edges) node.count += nodes_[edge.child].count;
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  nodes_.push_back(node);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

absl::Span<const DecisionDiagram::Edge> DecisionDiagram::EdgesOf(uint32_t node) const {
  return absl::MakeConstSpan(edges_).subspan(nodes_[node].first_edge, nodes_[node].edge_count);
}

}  // namespace tune
