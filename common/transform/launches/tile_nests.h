// The host's loops over tiles, one inside of the other.
#pragma once

#include "common/base/status.h"
#include "common/program/program_node.h"

namespace tune {

// Where isl knows an iteration of a parallel loop by its number it may run what belongs to it beside the
// loop:
//
//   for a, parallel               for a, parallel
//     launch 0 [a][0]        ->     for b, parallel
//     for b, parallel                 if b == 0
//       launch 1 [a][b]                 launch 0 [a][b]
//                                     launch 1 [a][b]
//
// Puts it back, so that `loop`, which is parallel, is a nest of such loops. What belongs to different
// iterations needs nothing of each other. INVALID_ARGUMENT where that is not possible.
absl::Status NestTiles(Loop* loop);

}  // namespace tune
