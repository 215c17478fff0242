// Stencil loops run in overlapped tiles of space and time.
//
// Asks `time_tiles`, on by default, where a loop over steps updates arrays of one or two dimensions from
// neighbouring elements (stencil_loop.h), a tile can hold several steps (tile_shape.h), and tiles that stream
// (streamed_tiles.h) are not taken. A tile is one block's work in a launch, in shared memory: launches become
// fewer, and memory is read and written once in several steps. Elements between two tiles are computed by
// both. Their order is then given: nothing else is asked of the schedule.
#pragma once

#include "common/transform/scop_transformation.h"
#include "common/transform/time_tiles/tile_shape.h"

namespace tune {

const ScopTransformation& TimeTiles();

// What it makes: a scop that computes the same in tiles (tiled_scop.h), in the order in which it is to run,
// at the `values` of the parameters. nullopt: there is nothing to tile, or isl's scheduler finds no schedule
// within the limits. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> TileTime(AnalysedScop& analysed,
                                                 const std::map<std::string, int64_t>& values,
                                                 const TileLimits& limits = {});

}  // namespace tune
