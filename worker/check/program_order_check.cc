#include "worker/check/program_order_check.h"

#include "common/isl/relations.h"
#include "worker/check/placement.h"
#include "worker/check/tile_copy.h"

namespace tune {
namespace {

// What each instance touches: { X -> element } of arrays and register tiles, { X -> tile[copy] } of tiles in
// shared memory; what it writes. { X -> tile[copy] }: what fills such tiles, and what reads them.
struct Touches {
  isl::union_map all, writes, fills, reads;
};

class TouchFinder {
 public:
  explicit TouchFinder(const CheckedKernel& checked)
      : checked_(checked), none_(isl::union_map::empty(checked.context.ctx())) {}

  Touches Find() {
    for (const RaisedNode& node : checked_.nodes) {
      if (const auto* instance = node.node->As<Instance>()) {
        const ParsedStatement& statement = checked_.scop->statement(instance->statement);
        for (size_t i = 0; i < instance->accesses.size(); ++i) {
          const bool writes = static_cast<int>(i) == statement.proto->target();
          if (statement.accesses[i].of_data) {
            AddAll(node, statement.accesses[i], writes);
          } else {
            Add(node, instance->accesses[i], writes);
          }
        }
      } else if (const auto* transfer = node.node->As<Transfer>()) {
        Add(node, transfer->to, true);
        Add(node, transfer->from, false);
      } else if (const auto* reduction = node.node->As<BlockReduction>()) {
        AddWhole(node, *reduction);
      } else if (const auto* fill = node.node->As<Fill>()) {
        for (const TileFill& part : fill->tiles) Add(node, part.to, true);
      }
    }
    return touches_;
  }

 private:
  void Add(const RaisedNode& node, const ElementAccess& access, bool writes) {
    const Tile* const tile = checked_.kernel->FindTile(access.array);
    if (tile == nullptr || !tile->shared)
      return AddMap(node, node.Function(access.subscripts, access.array), writes);
    std::vector<IndexExpression> copy;
    if (tile->copies > 1 && !access.subscripts.empty()) copy.push_back(access.subscripts[0]);
    const isl::map touched = node.Function(copy, access.array);
    AddMap(node, touched, writes);
    isl::union_map& same = writes ? touches_.fills : touches_.reads;
    same = same.unite(ByInstance(node, touched));
  }

  // Any of the elements that it may be.
  void AddAll(const RaisedNode& node, const ParsedAccess& access, bool writes) {
    const isl::map touched = node.Runs().apply_range(access.relation);
    AddMap(node, touched.intersect_params(checked_.context), writes);
  }

  void AddWhole(const RaisedNode& node, const BlockReduction& reduction) {
    // Tiles of kernel and mapping are parallel.
    const auto number = checked_.kernel->FindTile(reduction.tile) - checked_.kernel->tiles.data();
    isl::set elements = OutsideOf(checked_.mapped->memory.tiles[number], checked_.context.ctx()).complement();
    AddMap(node, MapFromDomainAndRange(node.domain, elements), true);
  }

  // `touched`: { [i] -> element }
  void AddMap(const RaisedNode& node, const isl::map& touched, bool writes) {
    const isl::union_map by_instance = ByInstance(node, touched);
    touches_.all = touches_.all.unite(by_instance);
    if (writes) touches_.writes = touches_.writes.unite(by_instance);
  }

  // { X -> element }
  static isl::union_map ByInstance(const RaisedNode& node, const isl::map& touched) {
    return isl::union_map(node.Runs().reverse().apply_range(touched));
  }

  const CheckedKernel& checked_;
  const isl::union_map none_;
  Touches touches_{none_, none_, none_, none_};
};

// OK when each read of a tile is of the copy that the last fill before it in the tree has filled. `tree`: { X
// -> [time] }
absl::Status CheckCopiesRead(const CheckedKernel& checked, const Touches& touches,
                             const isl::union_map& tree) {
  if (touches.reads.is_empty()) return absl::OkStatus();
  const isl::union_map fills = tree.intersect_domain(touches.fills.domain());
  const isl::union_map reads = tree.intersect_domain(touches.reads.domain());
  const isl::union_map before = LexLess(fills, reads).reverse();             // read -> fill
  const isl::union_map earlier = LexLess(fills, fills).reverse();            // fill -> fill before it
  const isl::union_map last = before.subtract(before.apply_range(earlier));  // read -> fill
  const isl::union_map wrong = touches.reads.subtract(last.apply_range(touches.fills));
  if (wrong.is_empty()) return absl::OkStatus();
  return checked.Fault("what is read is another copy of a tile than the one that was filled for it: ",
                       Example(wrong.wrap()));
}

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
  if (wrong.is_empty()) return CheckCopiesRead(checked, touches, tree);
  return checked.Fault("the program does not keep the order of the schedule tree: ", Example(wrong.wrap()));
}

}  // namespace tune
