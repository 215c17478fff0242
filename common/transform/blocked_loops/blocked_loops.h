// Serial loops run in blocks of iterations (block_loops.h).
//
// Asks `blocked_loops`, on by default, where some loop gains by it, so that factorisations and triangular
// solves become products of matrices. Their order is then given: nothing else is asked of the schedule.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& BlockedLoops();

}  // namespace tune
