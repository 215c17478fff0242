// Dependences through elements that the threads of a block reduce together.
#pragma once

#include "worker/check/tile_use.h"

namespace tune {

// An update that goes to a tile of partial values (LocalTile::combined_by) reaches its element later, when
// one thread accumulates the combined value there: for a dependence through that element, it runs then, on
// that thread. `pairs` holds dependences inside launches of the kernel, { S -> S' }, without the relaxed
// ones. Takes those out that are only through such elements; OK when their instances run on one thread, in
// order. Otherwise FAILED_PRECONDITION with an example. Throws isl::exception.
absl::Status CheckReducedElements(const KernelPlacement& placement, const ParsedScop& scop,
                                  const isl::set& values, isl::union_map* pairs);

}  // namespace tune
