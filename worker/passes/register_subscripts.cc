#include "worker/passes/register_subscripts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/program/node_accesses.h"

namespace tune {
namespace {

// Of one dimension of a tile: its elements, and which one is used.
struct Subscript {
  int64_t extent = 0;
  IndexExpression value;
};

class Rewriting {
 public:
  Rewriting(const HelperNames& names, const DeviceKernel& kernel) : names_(names), kernel_(kernel) {}

  void Rewrite(Block* block) {
    for (Node& node : *block) {
      if (auto* loop = node.As<Loop>()) {
        Enter(loop);
      } else if (!node.blocks().empty()) {
        for (Block* inner : node.blocks()) Rewrite(inner);
      } else {
        Wrap(&node);
      }
    }
  }

 private:
  void Enter(Loop* loop) {
    const bool unrolled = loop->points > 0;
    if (unrolled) points_.insert(loop->iterator);
    Rewrite(&loop->body);
    if (unrolled) points_.erase(loop->iterator);
  }

  void Wrap(Node* node) {
    std::vector<std::string> added;
    while (const std::optional<Subscript> subscript = Unknown(*node)) {
      added.push_back(absl::StrCat(names_.iterator, "_", loops_++));
      points_.insert(added.back());
      *node = {AtPoint(*subscript, added.back(), std::move(*node))};
      node = &node->As<Loop>()->body[0];
    }
    for (const std::string& iterator : added) points_.erase(iterator);
  }

  // The node inside of a loop whose one iteration is the subscript's value.
  Loop AtPoint(const Subscript& subscript, const std::string& iterator, Node node) const {
    const IndexExpression point = IndexExpression::Name(iterator);
    ForEachUse(node, [&](ElementAccess& access, const Tile&) {
      std::replace(access.subscripts.begin(), access.subscripts.end(), subscript.value, point);
    });
    Loop loop;
    loop.iterator = iterator;
    loop.first = subscript.value;
    loop.condition = IndexExpression::Of(IndexExpression::Op::kLessEqual, {point, subscript.value});
    loop.step = IndexExpression::Constant(1);
    loop.points = subscript.extent;
    loop.body.push_back(std::move(node));
    return loop;
  }

  // The first subscript of a tile in registers that holds other names than those of loops over points.
  std::optional<Subscript> Unknown(const Node& node) const {
    std::optional<Subscript> unknown;
    ForEachUse(node, [&](const ElementAccess& access, const Tile& tile) {
      for (size_t i = 0; i < access.subscripts.size() && !unknown; ++i) {
        std::set<std::string> used;
        CollectNames(access.subscripts[i], &used);
        if (!std::includes(points_.begin(), points_.end(), used.begin(), used.end()))
          unknown = {tile.extents[i], access.subscripts[i]};
      }
    });
    return unknown;
  }

  // Of tiles in registers.
  template <typename AnyNode, typename Visit>
  void ForEachUse(AnyNode& node, const Visit& visit) const {
    ForEachAccess(node, [&](auto& access) {
      const Tile* const tile = kernel_.FindTile(access.array);
      if (tile != nullptr && !tile->shared) visit(access, *tile);
    });
  }

  const HelperNames& names_;
  const DeviceKernel& kernel_;
  std::set<std::string> points_;  // iterators of the loops over points around
  int loops_ = 0;                 // that were added
};

}  // namespace

void LoopOverRegisterSubscripts(const HelperNames& names, DeviceKernel* kernel) {
  Block body = std::move(kernel->body);
  Rewriting(names, *kernel).Rewrite(&body);
  kernel->body = std::move(body);
}

}  // namespace tune
