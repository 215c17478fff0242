#include "common/transform/boundary_tiles/boundary_tiles.h"

#include <algorithm>
#include <optional>

#include "common/isl/schedule_node.h"
#include "common/mapping/mark_node.h"
#include "common/mapping/part_mark.h"
#include "common/transform/boundary_tiles/full_blocks.h"
#include "common/transform/boundary_tiles/padding.h"
#include "common/transform/registers/registers.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "common/transform/thread_tree.h"

namespace tune {
namespace {

// Of one kernel.
class BoundaryTree {
 public:
  BoundaryTree(const BlockOfKernel& block, const isl::schedule_node& band)
      : block_(block), band_(band), tree_(block) {}

  // The tree of a kernel whose local statements run full tiles everywhere.
  std::optional<isl::schedule> Padded(LocalMemory* memory) const {
    std::set<std::string> kept;
    for (const std::string& name : block_.kernel->statements) {
      if (IsCopyWithin(block_.scop->statement(name))) kept.insert(name);
    }
    while (true) {
      LocalMemory padded;
      const std::optional<isl::schedule_node> node = PaddedLoops(kept, &padded);
      if (!node) return std::nullopt;
      const std::set<std::string> others = NotLocal(block_, padded);
      if (std::includes(kept.begin(), kept.end(), others.begin(), others.end())) {
        *memory = std::move(padded);
        memory->padded = true;
        return tree_.InsertCopies(*node, block_.domain, memory).schedule();
      }
      if (others.size() == block_.kernel->statements.size()) return std::nullopt;
      kept.insert(others.begin(), others.end());
    }
  }

  // Of one whose full blocks are apart from the others.
  isl::schedule Parted(LocalMemory* memory) const {
    const isl::schedule_node loops = tree_.InsertLoops(WithoutNode(band_));
    const BlockInstances instances = tree_.Instances(loops);
    tree_.AddTiles(instances, block_.domain, memory);
    const std::vector<CudaAxis>& axes = block_.plan->threads.axes;
    const bool gains =
        !memory->tiles.empty() ||
        std::any_of(axes.begin(), axes.end(), [](const CudaAxis& axis) { return axis.HasPoints(); });
    const std::optional<BlockParts> parts = gains ? FullAndPartialBlocks(block_, instances) : std::nullopt;
    return (parts ? InsertParts(loops, *parts, memory) : tree_.InsertCopies(loops, block_.domain, memory))
        .schedule();
  }

 private:
  // Where copies are to be inserted, all statements padded but those of `kept`.
  std::optional<isl::schedule_node> PaddedLoops(const std::set<std::string>& kept,
                                                LocalMemory* memory) const {
    const std::optional<BlockOfKernel> padded = Pad(block_, kept);
    if (!padded) return std::nullopt;
    const std::optional<isl::schedule_node> inside = PaddedTree(band_, block_, *padded);
    if (!inside) return std::nullopt;
    const ThreadTree tree(*padded);
    const isl::schedule_node loops = tree.InsertLoops(*inside);
    tree.AddTiles(tree.Instances(loops), block_.domain, memory);
    return loops;
  }

  // One subtree of `node` for the full blocks and one for the others, each with its copies. The slowest block
  // may be one of the others, so where threads have loops isl is told which these are, and makes code of its
  // own for each side of the boundary; without loops that takes long and gains nothing.
  isl::schedule_node InsertParts(isl::schedule_node node, const BlockParts& parts,
                                 LocalMemory* memory) const {
    const bool sides = block_.HasSerialLoop();
    const isl::union_set everything = block_.domain.universe();
    isl::union_set_list filters(node.ctx(), 2);
    filters = filters.add(everything.intersect_params(parts.full))
                  .add(sides ? everything.intersect_params(parts.partial) : everything);
    node = node.insert_sequence(filters);
    node = UpTo(
        node, tree_.InsertCopies(node.child(0).child(0), block_.domain.intersect_params(parts.full), memory));
    isl::schedule_node others = node.child(1).child(0);
    if (sides)
      return UpTo(node, tree_.InsertCopies(others, block_.domain.intersect_params(parts.partial), memory));
    others = InsertPartMark(others, parts.full).child(0);
    return UpTo(node, tree_.InsertCopies(others, block_.domain, memory));
  }

  const BlockOfKernel& block_;
  const isl::schedule_node band_;  // the kernel's root band
  const ThreadTree tree_;
};

class BoundaryTilesTransformation : public CudaTransformation {
  const char* name() const override { return "boundary_tiles"; }

  std::optional<isl::schedule> MakeTree(const BlockOfKernel& block, const isl::schedule_node& band,
                                        LocalMemory* memory) const override {
    if (!block.kernel->bands[0].innermost) return std::nullopt;
    const BoundaryTree tree(block, band);
    if (block.plan->Get<SharedTiles>().on && block.plan->Get<RegisterTiles>().on && block.HasSerialLoop()) {
      if (const std::optional<isl::schedule> padded = tree.Padded(memory)) return padded;
    }
    return tree.Parted(memory);
  }
};

}  // namespace

const CudaTransformation& BoundaryTiles() {
  static const BoundaryTilesTransformation transformation;
  return transformation;
}

}  // namespace tune
