// The nodes of a kernel of a device program as relations: how checks read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/program/device_program.h"
#include "worker/check/tree_leaf.h"

namespace tune {

// A node that is no loop, condition, scope or definition, and when a thread runs it, in terms of the
// coordinates of host loops, block and thread.
struct RaisedNode {
  const Node* node = nullptr;
  std::vector<std::string> iterators;  // of the loops around, outermost first
  isl::set domain;                     // { [i] }: values of `iterators` at which it runs
  // From the root: the number of the node in each block, TreeLeaf::kMember for each loop.
  std::vector<int> path;
  // What scopes around it keep in variables, with the number of loops around the scope.
  std::vector<std::pair<const KeptElement*, size_t>> kept;
  // Conditions around it that a thread's number in the block decides, which `domain` says nothing of.
  std::vector<IndexExpression> by_thread_number;

  // { [i] -> tuple[e] } on the domain; an empty name is none. Throws isl::exception for expressions that are
  // not quasi-affine.
  isl::map Function(const std::vector<IndexExpression>& expressions, const std::string& tuple) const;
  // { [i] -> X[iterators] } of its origin, which it must have.
  isl::map Runs() const;
};

// What the node runs; null for nodes that have none.
const Origin* OriginOf(const Node& node);

// Of a kernel's body, or of the host, in the order of the text; `context`: what is true of the coordinates.
// Throws isl::exception.
std::vector<RaisedNode> RaiseBlock(const Block& block, const isl::set& context);

}  // namespace tune
