#include "server/search/walk_tree.h"

#include <algorithm>

namespace tune {

v1::Configuration ConfigurationOf(const Trace& trace) {
  v1::Configuration configuration;
  for (const TracedDecision& traced : trace) {
    v1::Decision* decision = configuration.add_decisions();
    decision->set_key(traced.point.key);
    decision->set_option(traced.point.options[traced.chosen]);
  }
  return configuration;
}

void WalkTree::Add(const Trace& trace) {
  std::vector<Node*> path = {&root_};
  for (const TracedDecision& traced : trace) {
    Node* node = path.back();
    if (node->allowed < 0) {
      node->allowed =
          static_cast<int>(std::count(traced.point.allowed.begin(), traced.point.allowed.end(), true));
    }
    std::unique_ptr<Node>& child = node->children[traced.chosen];
    if (child == nullptr) child = std::make_unique<Node>();
    path.push_back(child.get());
  }
  if (path.back()->used_up) return;
  path.back()->used_up = true;
  for (size_t i = path.size() - 1; i-- > 0;) {
    if (++path[i]->used_up_children < path[i]->allowed || path[i]->used_up) return;
    path[i]->used_up = true;
  }
}

bool WalkTree::Contains(const Trace& trace) const {
  const Node* node = &root_;
  for (const TracedDecision& traced : trace) {
    const auto child = node->children.find(traced.chosen);
    if (child == node->children.end()) return false;
    node = child->second.get();
  }
  return node->used_up;
}

std::vector<bool> WalkTree::Cursor::Open(const DecisionPoint& point) const {
  std::vector<bool> open = point.allowed;
  if (node_ == nullptr) return open;
  for (const auto& [option, child] : node_->children) {
    if (child->used_up && option < static_cast<int>(open.size())) open[option] = false;
  }
  return open;
}

void WalkTree::Cursor::Choose(int option) {
  if (node_ == nullptr) return;
  const auto child = node_->children.find(option);
  node_ = child == node_->children.end() ? nullptr : child->second.get();
}

}  // namespace tune
