// The copies of a mapped kernel: what fills, loads, stores and accumulates its tiles, and where in the tree.
#pragma once

#include <functional>

#include "worker/check/placement.h"

namespace tune {

// The copy that a leaf runs; null when it runs instances of the scop.
const CopyStatement* CopyAt(const KernelPlacement& placement, const TreeLeaf& leaf);

// A leaf that runs a copy, as seen from another leaf.
struct CopyLeaf {
  const TreeLeaf* leaf = nullptr;
  const CopyStatement* copy = nullptr;
  Parting parting;
  bool repeated = false;  // another copy of the kind comes between in a loop: which one is nearest depends
};

// The nearest leaf before, or after, `leaf` whose copy `wanted` accepts; a null leaf when there is none.
CopyLeaf FindNearest(const KernelPlacement& placement, const TreeLeaf& leaf, bool before,
                     const std::function<bool(const CopyStatement&)>& wanted);
// The same for copies of one kind of tile number `tile`.
CopyLeaf FindNearest(const KernelPlacement& placement, const TreeLeaf& leaf, bool before,
                     CopyStatement::Kind kind, int tile);

// { tile[index] }: every index that the tile does not have.
isl::set OutsideOf(const LocalTile& tile, isl::ctx ctx);

// { Copy[w] -> A } of a leaf that copies registers: the element that it means. When that is in registers,
// too, the one that these are loaded from before and stored to after. FAILED_PRECONDITION when there is none.
// Throws isl::exception.
absl::StatusOr<isl::union_map> ElementsOf(const KernelPlacement& placement, const TreeLeaf& leaf);

// The following are OK, or FAILED_PRECONDITION with an example; they throw isl::exception.

// Every copy knows its places wherever it runs, and its indices are inside their tiles.
absl::Status CheckCopies(const KernelPlacement& placement);

// Below the first `members` loops a thread copies each element, and each index, at most once.
absl::Status CheckCopiedOnce(const KernelPlacement& placement, const CopyLeaf& leaf, int members);

// An element that a thread stores from, or accumulates from, the tile in registers, no other thread of the
// launch copies; but for those of other blocks along the reduction's axis, when copies are atomic.
absl::Status CheckOwners(const KernelPlacement& placement, int tile);

}  // namespace tune
