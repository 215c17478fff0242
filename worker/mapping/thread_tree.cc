#include "worker/mapping/thread_tree.h"

#include <algorithm>
#include <optional>
#include <set>

#include "common/transform/registers/registers.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "worker/mapping/full_blocks.h"
#include "worker/mapping/local_copies.h"
#include "worker/mapping/mark_node.h"
#include "worker/mapping/padding.h"
#include "worker/mapping/part_mark.h"
#include "worker/mapping/promotion.h"
#include "worker/mapping/reduction_tree.h"
#include "worker/mapping/thread_loops.h"

namespace tune {
namespace {

// Marks of the places where copies go: above the tile loops, above the thread's filter.
constexpr char kRegistersMark[] = "registers";
constexpr char kSharedMark[] = "shared";

class ThreadTreeBuilder {
 public:
  ThreadTreeBuilder(const BlockOfKernel& block, LocalMemory* memory)
      : block_(block), plan_(*block.plan), kernel_(*block.kernel), loops_(block), memory_(memory) {}

  isl::schedule Build() {
    isl::schedule_node node = FindKernel(block_.tree, plan_.name);
    if (plan_.threads.IsOneThread())
      return block_.After("threads", loops_.MarkInnermostLoops(node, false).schedule());
    if (plan_.threads.HasReduction()) return MakeReductionTree(block_, node, memory_);
    const bool promotable = kernel_.bands[0].innermost;
    if (promotable && plan_.Get<SharedTiles>().on && plan_.Get<RegisterTiles>().on && HasSerialLoop()) {
      if (const std::optional<isl::schedule> padded = BuildPadded(node)) return *padded;
      offsets_.clear();
    }
    // 1. The loops of a thread.
    node = promotable ? loops_.PointsInside(node) : loops_.PointsOutside(node);
    // Filters say what the tree's domain does not: code generation would simplify the rest away, at length.
    node = node.insert_filter(block_.AtPlaceOfThread(block_.domain.universe()));
    node = block_.After("threads", InsertMark(node, kSharedMark));
    // 2. Tiles of what is not mapped.
    if (promotable && plan_.Get<SharedTiles>().on) node = loops_.InsertTiles(node);
    node = block_.After("tiles", InsertMark(node, kRegistersMark));
    if (!promotable) return node.schedule();
    // 3. What goes through shared memory and registers.
    const BlockInstances instances = Instances(block_, FindMark(node, kSharedMark));
    if (plan_.Get<SharedTiles>().on) offsets_ = PromoteToShared(instances, block_.max_shared_bytes, memory_);
    if (plan_.Get<RegisterTiles>().on && HasSerialLoop())
      PromoteToRegisters(instances, block_.domain, memory_);
    // 4. Full blocks apart from the others, each with its copies.
    const bool gains =
        !memory_->tiles.empty() || std::any_of(plan_.threads.axes.begin(), plan_.threads.axes.end(),
                                               [](const CudaAxis& axis) { return axis.HasPoints(); });
    const std::optional<BlockParts> parts = gains ? FullAndPartialBlocks(block_, instances) : std::nullopt;
    return (parts ? InsertParts(node, *parts) : InsertLocalMemory(node, block_.domain)).schedule();
  }

 private:
  // The tree of a kernel whose local statements run full tiles everywhere; `band`: its root band.
  std::optional<isl::schedule> BuildPadded(const isl::schedule_node& band) {
    std::set<std::string> kept;
    for (const std::string& name : kernel_.statements) {
      if (IsCopyWithin(block_.scop->statement(name))) kept.insert(name);
    }
    while (true) {
      LocalMemory memory;
      const std::optional<isl::schedule_node> node = PaddedNode(band, kept, &memory);
      if (!node) return std::nullopt;
      const std::set<std::string> others = NotLocal(block_, memory);
      if (std::includes(kept.begin(), kept.end(), others.begin(), others.end())) {
        *memory_ = std::move(memory);
        memory_->padded = true;
        return InsertLocalMemory(*node, block_.domain).schedule();
      }
      if (others.size() == kernel_.statements.size()) return std::nullopt;
      kept.insert(others.begin(), others.end());
    }
  }

  // Where copies are to be inserted, all statements padded but those of `kept`.
  std::optional<isl::schedule_node> PaddedNode(const isl::schedule_node& band,
                                               const std::set<std::string>& kept, LocalMemory* memory) {
    const std::optional<BlockOfKernel> padded = Pad(block_, kept);
    if (!padded) return std::nullopt;
    std::optional<isl::schedule_node> node = PaddedTree(band, block_, *padded);
    if (!node) return std::nullopt;
    const ThreadLoops loops(*padded);
    node = loops.PointsAround(*node).insert_filter(padded->AtPlaceOfThread(padded->domain.universe()));
    node = block_.After("threads", InsertMark(*node, kSharedMark));
    node = block_.After("tiles", InsertMark(loops.InsertTiles(*node), kRegistersMark));
    const BlockInstances instances = Instances(*padded, FindMark(*node, kSharedMark));
    offsets_ = PromoteToShared(instances, block_.max_shared_bytes, memory);
    PromoteToRegisters(instances, block_.domain, memory);
    return node;
  }

  bool HasSerialLoop() const {
    for (int m = 0; m < block_.MemberCount(); ++m) {
      if (!plan_.threads.IsMapped(m) && kernel_.bands[0].trip_counts[m] != 1) return true;
    }
    return false;
  }

  BlockInstances Instances(const BlockOfKernel& block, const isl::schedule_node& shared_mark) const {
    BlockInstances instances = InstancesOfBlock(block, kernel_.statements, block.domain);
    instances.prefix = isl::manage(isl_schedule_node_get_prefix_schedule_union_map(shared_mark.get()))
                           .intersect_domain(block.domain);
    return instances;
  }

  // One subtree of `node` for the full blocks and one for the others, each with its copies. The slowest block
  // may be one of the others, so where threads have loops isl is told which these are, and makes code of its
  // own for each side of the rim; without loops that takes long and gains nothing.
  isl::schedule_node InsertParts(isl::schedule_node node, const BlockParts& parts) {
    const bool sides = HasSerialLoop();
    const isl::union_set everything = block_.domain.universe();
    isl::union_set_list filters(node.ctx(), 2);
    filters = filters.add(everything.intersect_params(parts.full))
                  .add(sides ? everything.intersect_params(parts.partial) : everything);
    node = node.insert_sequence(filters);
    node = UpTo(node, InsertLocalMemory(node.child(0).child(0), block_.domain.intersect_params(parts.full)));
    isl::schedule_node others = node.child(1).child(0);
    if (sides) return UpTo(node, InsertLocalMemory(others, block_.domain.intersect_params(parts.partial)));
    others = InsertMark(others, PrintPartMark(parts.full)).child(0);
    return UpTo(node, InsertLocalMemory(others, block_.domain));
  }

  // Puts the copies for `domain`, a part of the block's instances, into the subtree of `node`.
  isl::schedule_node InsertLocalMemory(isl::schedule_node node, const isl::union_set& domain) {
    if (!offsets_.empty())
      node = UpTo(node, InsertFill(FindMark(node, kSharedMark), domain, offsets_, memory_));
    if (std::all_of(memory_->tiles.begin(), memory_->tiles.end(),
                    [](const LocalTile& tile) { return tile.shared; })) {
      return node;
    }
    const isl::set everywhere = isl::manage(isl_set_universe(isl_set_get_space(block_.context.get())));
    const isl::union_set instances = block_.OfThread(domain);
    for (size_t t = 0; t < memory_->tiles.size(); ++t) {
      if (memory_->tiles[t].shared) continue;
      for (const auto kind : {CopyStatement::Kind::kLoad, CopyStatement::Kind::kStore}) {
        node = UpTo(node, InsertCopies(FindMark(node, kRegistersMark), block_, instances, everywhere,
                                       static_cast<int>(t), kind, memory_));
      }
    }
    return node;
  }

  const BlockOfKernel& block_;
  const KernelPlan& plan_;
  const Kernel& kernel_;
  const ThreadLoops loops_;
  LocalMemory* const memory_;
  std::vector<SharedTileOffset> offsets_;  // one a shared tile
};

}  // namespace

isl::schedule MakeThreadTree(const BlockOfKernel& block, LocalMemory* memory) {
  return ThreadTreeBuilder(block, memory).Build();
}

}  // namespace tune
