// Loops over the points of a thread.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Of a loop around points that are not all there, which is where a tile reaches beyond the array: such loops
// are unrolled less often, since much code would be made for little work. To run before UnrollPoints.
void UnrollBoundaryLoopsLess(DeviceKernel* kernel);

// A loop over points is unrolled as a whole where its bounds are constants, where registers need it and where
// it is short: then it is of a constant length, with bounds that are none as conditions inside. It stays a
// loop otherwise. Afterwards no loop says that it goes over points.
void UnrollPoints(DeviceKernel* kernel);

}  // namespace tune
