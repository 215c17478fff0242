#include "worker/check/program_order_check.h"

#include "common/isl/relations.h"
#include "worker/check/placement.h"
#include "worker/check/tile_copy.h"

namespace tune {
namespace {

// What each instance touches: { X -> element } of arrays and tiles; what it writes.
struct Touches {
  isl::union_map all, writes;
};

class TouchFinder {
 public:
  explicit TouchFinder(const CheckedKernel& checked)
      : checked_(checked),
        touches_{isl::union_map::empty(checked.context.ctx()), isl::union_map::empty(checked.context.ctx())} {
  }

  Touches Find() {
    for (const RaisedNode& node : checked_.nodes) {
      if (const auto* instance = node.node->As<Instance>()) {
        const v1::Statement& statement = *checked_.scop->statement(instance->statement).proto;
        for (size_t i = 0; i < instance->accesses.size(); ++i)
          Add(node, instance->accesses[i], static_cast<int>(i) == statement.target());
      } else if (const auto* transfer = node.node->As<Transfer>()) {
        Add(node, transfer->to, true);
        Add(node, transfer->from, false);
      } else if (const auto* reduction = node.node->As<BlockReduction>()) {
        AddWhole(node, *reduction);
      }
    }
    return touches_;
  }

 private:
  // Shared tiles are for the check of barriers.
  void Add(const RaisedNode& node, const ElementAccess& access, bool writes) {
    const Tile* const tile = checked_.kernel->FindTile(access.array);
    if (tile != nullptr && tile->shared) return;
    AddMap(node, node.Function(access.subscripts, access.array), writes);
  }

  void AddWhole(const RaisedNode& node, const BlockReduction& reduction) {
    // Tiles of kernel and mapping are parallel.
    const auto number = checked_.kernel->FindTile(reduction.tile) - checked_.kernel->tiles.data();
    isl::set elements = OutsideOf(checked_.mapped->memory.tiles[number], checked_.context.ctx()).complement();
    AddMap(node, MapFromDomainAndRange(node.domain, elements), true);
  }

  // `touched`: { [i] -> element }
  void AddMap(const RaisedNode& node, const isl::map& touched, bool writes) {
    const isl::union_map by_instance(node.Runs().reverse().apply_range(touched));
    touches_.all = touches_.all.unite(by_instance);
    if (writes) touches_.writes = touches_.writes.unite(by_instance);
  }

  const CheckedKernel& checked_;
  Touches touches_;
};

}  // namespace

absl::Status CheckProgramOrder(const CheckedKernel& checked) {
  const isl::ctx ctx = checked.context.ctx();
  isl::union_map tree = isl::union_map::empty(ctx), program = tree;  // { X -> [time] }
  const size_t tree_length = LongestPath(checked.leaves), length = LongestPath(checked.nodes);
  for (const TreeLeaf& leaf : checked.leaves)
    tree = tree.unite(TimesOf(leaf.schedule, leaf.path, tree_length).intersect_params(checked.context));
  for (const RaisedNode& node : checked.nodes) {
    if (OriginOf(*node.node) != nullptr)
      program = program.unite(TimesOf(isl::union_map(node.Runs().reverse()), node.path, length));
  }
  const Touches touches = TouchFinder(checked).Find();
  // { X -> X' }: both meet an element, and one writes it
  const isl::union_map after_write = touches.writes.apply_range(touches.all.reverse());
  const isl::union_map meetings = after_write.unite(after_write.reverse());
  const isl::union_map wrong = meetings.intersect(Reordered(tree, program));
  if (wrong.is_empty()) return absl::OkStatus();
  return checked.Fault("the program does not keep the order of the schedule tree: ", Example(wrong.wrap()));
}

}  // namespace tune
