// The scop whose sums of rows and of columns are added up in one pass over the matrix.
#pragma once

#include <optional>

#include "common/transform/one_pass/pass_pair.h"
#include "common/transform/one_pass/pass_tiles.h"

namespace tune {

// `scop` with the pair's kernels of `schedule` in tiles of rows (common/kernel/tile_loops.h):
//
//   for tile, parallel
//     for row of the tile: before; for t: the row's sum; after
//     for column: P[tile][column] = 0; for row of the tile: P[tile][column] += ..
//   for column: before; for tile: the column's sum += P[tile][column]; after
//
// where P is an array of its own. In an order that is checked against the dependences of one in which the
// columns' sums stand where they stood. Nothing where P takes more than `most_bytes`, or where tiles need
// something of each other. `values`: of the parameters. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> PassScop(IslContext& context, const ParsedScop& scop,
                                                 const isl::schedule& schedule, const PassPair& pair,
                                                 const PassTiles& tiles, const isl::set& values,
                                                 int64_t most_bytes);

}  // namespace tune
