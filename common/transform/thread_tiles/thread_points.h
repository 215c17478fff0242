// Loops over the points of a thread.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// Of a loop around points that are not all there, which is where a tile reaches beyond the array: such loops
// are unrolled less often, since much code would be made for little work. To run before UnrollPoints.
void UnrollBoundaryLoopsLess(DeviceKernel* kernel);

// Of two loops over points, one in the other, where those of the outer one are all there, that is the inner
// one, and has no conditions: a thread then runs whole columns, and the compiler sees what neighbours in one
// share. Elsewhere they stay. For points that may run in any order; to run before UnrollPoints.
void RunWholeColumns(DeviceKernel* kernel);

// Of a thread's sums in registers, of terms in shared memory, every other row of points runs backward: its
// first sum takes the term of the column that the row before took last, which the registers' cache still has.
// For points that may run in any order, all of which are there; to run before UnrollPoints. As the thread
// tiles of CUTLASS do (cutlass/gemm/thread/mma_sm50.h).
void TurnAtRowEnds(DeviceKernel* kernel);

// A loop over points is unrolled as a whole where its bounds are constants, where registers need it and where
// it is short: then it is of a constant length, with bounds that are none as conditions inside. Those that
// take a division have names before it, as compilers would else make them again for each point (nvcc, a copy
// of a tile of a wavefront: 2,900 lines of PTX in place of 740). It stays a loop otherwise. Afterwards no
// loop says that it goes over points.
void UnrollPoints(const HelperNames& names, DeviceKernel* kernel);

}  // namespace tune
