// A scop whose stencil loop runs in overlapped tiles of space and time.
#pragma once

#include <optional>

#include "common/transform/time_tiles/tile_shape.h"
#include "common/transform/time_tiles/tiled_arrays.h"

namespace tune {

// For each array A that the loop writes there are two whole copies, A_turns[2], of which a time tile T reads
// one, T mod 2, and writes the other, and the parts of the tiles, A_tile[tile][element of the tile]:
//
//   A_turns[0], A_turns[1] = A
//   for T                                  time tiles
//     for tile                             independent: a mark TileLoopsMark stands above
//     (common/kernel/tile_loops.h)
//       A_tile[tile] = A_turns[T mod 2]    what the tile reads and does not make
//       for t in T                         with halos that shrink
//         the loop's statements on A_tile
//       A_turns[(T + 1) mod 2] = A_tile[tile]    its own elements, of which values are needed later
//   A = A_turns[...]
//
// `schedule`: of the scop, in which the loop was found. Nothing when elements are not affine in time and
// place. Throws isl::exception.
std::optional<v1::Scop> TileStencil(const ParsedScop& scop, const isl::schedule& schedule,
                                    const StencilLoop& loop, const TileShape& shape,
                                    const std::vector<TiledArray>& arrays, const isl::set& values);

}  // namespace tune
