// The leaves of a schedule tree with everything that reaches them: how checks read a tree.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// A leaf that instances reach. { X } are instances of the scop, or of the statements that extensions add.
struct TreeLeaf {
  // { X -> [p] }: the values of the members of all bands above, outermost first. Exactly for the instances
  // that filters, guards and extensions let through, in terms of the tree's parameters.
  isl::union_map schedule;
  // From the root: the number of the child at each sequence or set, kMember for each member of a band.
  std::vector<int> path;
  // Of each member of a band in the path: LoopMark::points of the mark to which it belongs; 0: it has none.
  std::vector<int64_t> points;
  // { X -> [p] }: what reached the innermost extension above the leaf from outside.
  std::optional<isl::union_map> around;

  static constexpr int kMember = -1;

  isl::union_set instances() const { return schedule.domain(); }
  int depth() const;  // number of members above
};

// In the tree's order. Throws isl::exception, also for expansion nodes, which no mapper makes.
std::vector<TreeLeaf> FindLeaves(const isl::schedule& tree);

// Where two leaves part: in different children of one sequence.
struct Parting {
  size_t position = 0;   // in both paths: above the sequence they are equal
  int members = 0;       // of the bands above the sequence
  bool forward = false;  // the first leaf's child comes first
};
Parting PartingOf(const TreeLeaf& first, const TreeLeaf& second);

// { X -> [p_0, .., p_(members - 1)] }
isl::union_map OuterMembers(const isl::union_map& schedule, int members);

// { X -> [time] } of { X -> [p] } at a leaf with that path: places in sequences stand among the members, so
// that times of different leaves can be compared. `length`: how many members a time has, at least the path's.
isl::union_map TimesOf(const isl::union_map& schedule, const std::vector<int>& path, size_t length);

// Members of the longest path of leaves, or of nodes of a program.
template <typename Leaf>
size_t LongestPath(const std::vector<Leaf>& leaves) {
  size_t length = 0;
  for (const Leaf& leaf : leaves) length = std::max(length, leaf.path.size());
  return length;
}

// { X -> X' } of which `times`, { X -> [time] }, runs X first, and `others` does not.
isl::union_map Reordered(const isl::union_map& times, const isl::union_map& others);

// Instances of one statement; an empty set when it has none in `instances`.
isl::union_set InstancesOf(const isl::union_set& instances, const std::string& statement);

}  // namespace tune
