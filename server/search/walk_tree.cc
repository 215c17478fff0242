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

const WalkTree::Node* WalkTree::Node::Find(int option) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const Child& child) { return child.option == option; });
  return found == children.end() ? nullptr : found->node.get();
}

WalkTree::Node* WalkTree::Node::FindOrAdd(int option) {
  if (const Node* known = Find(option); known != nullptr) return const_cast<Node*>(known);
  children.push_back({option, std::make_unique<Node>()});
  return children.back().node.get();
}

void WalkTree::Add(const Trace& trace) {
  std::vector<Node*> path = {&root_};
  for (const TracedDecision& traced : trace) {
    Node* node = path.back();
    if (node->allowed < 0) node->allowed = CountAllowed(traced.point);
    path.push_back(node->FindOrAdd(traced.chosen));
  }
  if (path.back()->used_up) return;
  for (Node* node : path) ++node->walks;
  path.back()->used_up = true;
  for (size_t i = path.size() - 1; i-- > 0;) {
    if (++path[i]->used_up_children < path[i]->allowed || path[i]->used_up) return;
    path[i]->used_up = true;
  }
}

bool WalkTree::Contains(const Trace& trace) const {
  const Node* node = &root_;
  for (const TracedDecision& traced : trace) {
    node = node->Find(traced.chosen);
    if (node == nullptr) return false;
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

int WalkTree::Cursor::Made(int option) const {
  const Node* node = node_ == nullptr ? nullptr : node_->Find(option);
  return node == nullptr ? 0 : node->walks;
}

void WalkTree::Cursor::Choose(int option) {
  if (node_ != nullptr) node_ = node_->Find(option);
}

}  // namespace tune
