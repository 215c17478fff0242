// Loops over what threads have in registers.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Has loops unrolled that say which elements of arrays in registers (DeviceArray::of_thread) a thread
// touches, as these have no addresses; and, of launches of tiles, those around kernels that move values from
// element to element of such an array: by so many iterations as bring each register back to its place, so
// that nothing is moved.
void UnrollRegisterLoops(DeviceProgram* program);

}  // namespace tune
