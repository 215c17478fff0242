// What compilers ask of the conditions of loops with pragmas.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// Loops whose condition OpenMP does not take are plain loops. gcc drops the unrolling of a loop whose
// condition holds more than a comparison of two names: the bound of such a loop gets a name before it.
void NameLoopBounds(const HelperNames& names, OpenMpProgram* program);

}  // namespace tune
