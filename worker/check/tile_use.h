// Promoted references of a mapped kernel.
#pragma once

#include <vector>

#include "worker/check/placement.h"

namespace tune {

// The instances of one promoted reference at one leaf of the thread tree, in terms of the coordinates.
struct TileUse {
  ReferenceName reference;
  const ParsedStatement* statement = nullptr;
  const ParsedAccess* access = nullptr;
  const LocalTile* tile = nullptr;
  int number = 0;  // of the tile, in LocalMemory::tiles
  const TreeLeaf* leaf = nullptr;
  isl::union_set instances;  // { S }, as they run
  isl::map place;            // { S -> tile[index] }
  isl::map element;          // { S -> A[element] }, at all instances of the scop

  // "reference 1 of S0 to A through A_shared0"
  std::string Text() const;

  // FAILED_PRECONDITION: "kernel k0: reference 1 of S0 to A through A_shared0 " and the parts.
  template <typename... Parts>
  absl::Status Fault(const KernelPlacement& placement, const Parts&... parts) const {
    return absl::FailedPreconditionError(
        absl::StrCat("kernel ", placement.name(), ": ", Text(), " ", parts...));
  }
};

// Errors: FAILED_PRECONDITION when a reference names no access or no tile of its array. Throws
// isl::exception.
absl::StatusOr<std::vector<TileUse>> FindTileUses(const KernelPlacement& placement, const ParsedScop& scop,
                                                  const isl::set& values);

// OK when the reference has an index inside the tile at every instance; otherwise FAILED_PRECONDITION.
absl::Status CheckIndex(const KernelPlacement& placement, const TileUse& use);

}  // namespace tune
