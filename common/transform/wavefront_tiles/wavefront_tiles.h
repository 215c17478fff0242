// Loops that depend on their neighbours in each direction run in tiles on wavefronts.
//
// Asks `wavefront_tiles`, on by default, where the whole region is two or three loops none of which is
// parallel, whose dependences only go forward (wavefront_band.h), and there are no tiles of time
// (time_tiles.h): smoothing in place (Gauss and Seidel), tables in which an element follows from those before
// it (edit distances, alignments). Without it each diagonal of single iterations is a launch. With it a
// launch runs a diagonal of tiles, each the work of a block: its elements are in shared memory, and its
// threads go through it step by step, a diagonal of iterations at each. The order is then given: nothing else
// is asked of the schedule.
#pragma once

#include "common/transform/scop_transformation.h"
#include "common/transform/wavefront_tiles/wavefront_shape.h"

namespace tune {

const ScopTransformation& WavefrontTiles();

// What it makes: a scop that computes the same in tiles (wavefront_scop.h), in the order in which it is to
// run, at the `values` of the parameters. nullopt: there is nothing to tile, or isl's scheduler finds no
// schedule within the limits. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> TileWavefronts(AnalysedScop& analysed,
                                                       const std::map<std::string, int64_t>& values,
                                                       const WavefrontLimits& limits = {});

}  // namespace tune
