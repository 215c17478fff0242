// What one thread of a kernel runs, as a schedule tree: the loops that transformations make, and the copies
// between arrays and tiles that they put into them.
#pragma once

#include "common/mapping/block_instances.h"
#include "common/mapping/block_of_kernel.h"
#include "common/mapping/local_memory.h"
#include "common/mapping/thread_nest.h"

namespace tune {

// Marks of the places where copies go: above the tile loops, and inside of them, above the thread's filter.
inline constexpr char kOutsideTilesMark[] = "registers";
inline constexpr char kInsideTilesMark[] = "shared";

// All loops of a thread. Throws isl::exception.
ThreadNest MakeNest(const BlockOfKernel& block);

// The steps of making such a tree. They throw isl::exception. The block must outlive it.
class ThreadTree {
 public:
  explicit ThreadTree(const BlockOfKernel& block) : block_(block) {}

  // The loops of a thread around `node`, which stands where the root band's child would, and the marks.
  isl::schedule_node InsertLoops(const isl::schedule_node& node) const;
  // The block's instances below the loops that InsertLoops returned.
  BlockInstances Instances(const isl::schedule_node& loops) const;
  // Tiles for what these instances use. `own_instances`: those of the scop, where some were added.
  void AddTiles(const BlockInstances& instances, const isl::union_set& own_instances,
                LocalMemory* memory) const;
  // The copies for `domain`, a part of the block's instances, in the subtree of `node`.
  isl::schedule_node InsertCopies(isl::schedule_node node, const isl::union_set& domain,
                                  LocalMemory* memory) const;

 private:
  const BlockOfKernel& block_;
};

// The tree of a thread, with the instances that it runs; sets `memory`. Errors: throws isl::exception.
isl::schedule MakeThreadTree(const BlockOfKernel& block, LocalMemory* memory);

}  // namespace tune
