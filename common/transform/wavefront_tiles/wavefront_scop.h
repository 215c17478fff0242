// A scop whose loops run in tiles on wavefronts.
#pragma once

#include <optional>

#include "common/dependence/dependence.h"
#include "common/transform/wavefront_tiles/wavefront_shape.h"

namespace tune {

// With h = size * K + l in each loop, K the number of a tile and l an iteration in it:
//
//   for w                                sum of K
//     for K                              but for the derived one; independent: TileLoopsMark stands above
//       A_tile[K] = A                    what the tile reads
//       for s                            sum of l
//         for l                          but for the one along which threads go; independent
//           the loops' statements on A_tile
//       A = A_tile[K]                    what the tile writes
//
// (loop skewing: Wolfe, 1986; tiles of permutable bands: Bondhugula et al., PLDI 2008). `schedule`: of the
// scop, in which the band was found. Throws isl::exception.
v1::Scop RunOnWavefronts(const ParsedScop& scop, const Dependences& dependences, const WavefrontBand& band,
                         const WavefrontShape& shape, const isl::set& values);

}  // namespace tune
