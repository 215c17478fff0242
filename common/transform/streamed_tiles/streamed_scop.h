// A scop whose stencil loop runs in tiles of time that stream along the first dimension of its arrays.
#pragma once

#include <optional>

#include "common/transform/streamed_tiles/stream_plan.h"
#include "common/transform/streamed_tiles/stream_shape.h"
#include "common/transform/time_tiles/tiled_arrays.h"

namespace tune {

// For each array A that the loop writes there are two whole copies, as in tiled_scop.h, and of what a tile
// makes the values that are still read: A_own[tile][version][age][place], which only what is computed at the
// same place reads, and A_rows[tile][version][iteration][place] for what is computed beside it. A_ahead[tile]
// [age][place] is what comes from before the time tile and is not used yet; where only what the loop never
// writes comes from there it is loaded when it is used. A place is an element of a row, or as many next to
// one another along the row's first dimension, its points, as the shape says; A_rows has some more elements
// at each end. Version t + 1 is what step t of the time tile makes (stream_plan.h). A_made[tile][0][place] is
// what a statement computes, where that is done at all places.
//
//   for T                                time tiles
//     for tile                           independent: a mark TileLoopsMark stands above
//       A_own, A_rows, A_ahead = 0
//       A_ahead[tile] = A_turns[T mod 2]         the first rows
//       for s                            iterations: a row of each version
//         for place                      independent
//           A_own[tile][0][0] = A_ahead[tile][last]
//           A_ahead[tile][age + 1] = A_ahead[tile][age], A_ahead[tile][0] = A_turns[T mod 2]
//           for t in T
//             A_own[tile][t][0] = A_own[tile][t - 1][..]    what the loop never writes
//             the loop's statements on A_own and A_rows: A_made[tile][0] = .., A_own[tile][t][0] =
//             A_made[tile][0]
//           A_rows[tile][.][s mod ..] = A_own[tile][.][0]
//           A_turns[(T + 1) mod 2] = A_own[tile][last][0]    the tile's own elements
//           A_own[tile][.][age + 1] = A_own[tile][.][age]
//
// Halos do not shrink: a tile computes of the zeros, too, what it does not use. `schedule`: of the scop, in
// which the loop was found. Nothing when elements are not affine in time and place. Throws isl::exception.
std::optional<v1::Scop> StreamStencil(const ParsedScop& scop, const isl::schedule& schedule,
                                      const StencilLoop& loop, const StreamShape& shape,
                                      const StreamPlan& plan, const std::vector<TiledArray>& arrays,
                                      const isl::set& values);

}  // namespace tune
