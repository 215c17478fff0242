// What a thread's serial loop reads is loaded some iterations ahead.
//
// Threads that run long recurrences (sweeps of tridiagonal solves, recursive filters) are few, and each waits
// for memory in each iteration: compilers do not move loads over divisions, which have branches. Asks
// `.ahead`: off, or how many iterations ahead of the one that runs, of kernels whose threads run an innermost
// loop of dependent iterations, not unrolled, in which arrays are read that the kernel does not write and
// that no tile stands for. It changes when memory is read and nothing that is computed.
//
// By default where too few threads to fill the device each run a recurrence: as many iterations as the
// registers of a thread have room for. Measured with the four sweeps of adi, 2000 lines of 2000 floats,
// blocks of 8 threads: 0.94 -> 0.18 ms (3 loads an iteration, 16 ahead), 0.39 -> 0.25 (3, 16), 0.15 -> 0.07
// and 0.23 -> 0.07 (2, 32) on an H100 where chunks of iterations were loaded at once, into further registers;
// on an H200 115, 98, 35 and 33 us, and as each iteration loads what takes its place 100 and 100 (4 loads, 32
// ahead), 24 and 24 (2, 64).
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

// Iterations; 0: none.
struct LoadsAhead {
  int64_t iterations = 0;
};

// Loops (Loop::ahead). After all that changes loops and the launches' arrays.
const CudaTransformation& AheadLoads();

}  // namespace tune
