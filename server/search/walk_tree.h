// Which walks have been made, as a tree of their decisions.
#pragma once

#include <memory>
#include <vector>

#include "common/decision/chooser.h"
#include "tune/v1/configuration.pb.h"

namespace tune {

// One walk: the points in order and what was answered.
struct TracedDecision {
  DecisionPoint point;
  int chosen = 0;
};
using Trace = std::vector<TracedDecision>;

v1::Configuration ConfigurationOf(const Trace& trace);

// Each node is a decision reached by one sequence of answers; it is used up when each of its allowed options
// leads to a node that is. The end of a walk is used up. Not thread safe.
class WalkTree {
 private:
  struct Node;
  struct Child {
    int option = 0;
    std::unique_ptr<Node> node;
  };
  // Most nodes have one child: a list takes less memory than a map.
  struct Node {
    int allowed = -1;  // number of allowed options; -1 until a walk went through
    int walks = 0;     // that were added and go through here or end here
    int used_up_children = 0;
    bool used_up = false;
    std::vector<Child> children;

    const Node* Find(int option) const;  // null: none
    Node* FindOrAdd(int option);
  };

 public:
  // Adding a walk again changes nothing.
  void Add(const Trace& trace);
  bool Contains(const Trace& trace) const;
  // Every walk has been made. An empty tree is not exhausted.
  bool exhausted() const { return root_.used_up; }

  // Follows a walk as it is made.
  class Cursor {
   public:
    explicit Cursor(const WalkTree& tree) : node_(&tree.root_) {}
    // Per option: allowed and not used up.
    std::vector<bool> Open(const DecisionPoint& point) const;
    // How many walks were made that choose it here.
    int Made(int option) const;
    void Choose(int option);

   private:
    const Node* node_;  // null once off the tree
  };

 private:
  Node root_;
};

}  // namespace tune
