// Elements that a loop updates again and again, in a variable meanwhile.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The statements of an innermost loop that is neither parallel nor vectorised, at most one an array, each of
// which updates (T op= value) the same element of an array in all iterations, when nothing else in the loop
// touches that array, update variables. The compiler cannot know the latter of arrays that may overlap, least
// of all in a function of a parallel loop, and would wait for memory in each iteration. Only where the loop
// has iterations: else there may be no such elements.
void KeepSumsInRegisters(const v1::Scop& scop, const HelperNames& names, OpenMpProgram* program);

}  // namespace tune
