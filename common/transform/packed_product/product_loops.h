// Products that are computed in register tiles.
#pragma once

#include "common/program/device_program.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Of each node Product its loops and its instance, as they stand among its plain loops: sum, row and column
// of step 1 around one statement, and nothing else, whose target's elements of a row are neighbours. Where
// there are none, its plain loops stand in its place.
void FindProductLoops(const v1::Scop& scop, OpenMpProgram* program);

}  // namespace tune
