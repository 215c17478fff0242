// Subscripts of tiles in registers that a compiler knows.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// Compilers keep an array in registers only when all its subscripts are numbers once loops over points are
// unrolled. Where code generation has put a value in place of such a loop, as of the one point that a
// condition leaves, what uses the tile gets the loop again, from that value to itself.
void LoopOverRegisterSubscripts(const HelperNames& names, DeviceKernel* kernel);

}  // namespace tune
