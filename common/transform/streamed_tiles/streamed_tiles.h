// Stencil loops run in tiles of time that stream along the first dimension of their arrays.
//
// Asks `streamed_tiles`, where a loop over steps updates arrays of two or three dimensions from neighbouring
// elements (stencil_loop.h), and rows can follow one another (stream_plan.h); on by default where an estimate
// says that this is faster (stream_gain.h). Tiles of time (time_tiles.h) are for what is not streamed. A tile
// is one block's work in a launch: it goes from row to row and keeps of each time step the few rows that are
// still read. Against tiles of time it has room for wide and long tiles, and needs one barrier a row. The
// order is then given: nothing else is asked of the schedule.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& StreamedTiles();

// What it makes: a scop that computes the same in tiles (streamed_scop.h), in the order in which it is to
// run, at the `values` of the parameters. nullopt: there is nothing to tile, or isl's scheduler finds no
// schedule within the limits. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> StreamTime(AnalysedScop& analysed,
                                                   const std::map<std::string, int64_t>& values,
                                                   const DeviceFacts& device);

}  // namespace tune
