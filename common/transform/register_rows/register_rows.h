// A thread keeps the row that it works out, or several, in registers.
//
// Where loops inside of a thread have a fixed length, as those of a panel of a blocked factorisation, which
// solves a triangular system with one right side a thread, each element is read and written many times, at
// places that are known once the loops are unrolled (thread_rows.h). In memory it waits for each of them, in
// an array with subscripts the compiler would put it there as well. Asks `.register_rows`, on or off, where
// all of a thread's loops can be unrolled and its elements fit into registers. By default on: LU of 4000 x
// 4000 floats in blocks of 32 gained 12.0 -> 7.67 ms on an H200, with the diagonal tile in shared
// memory 7.02.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct RegisterRows {
  bool on = false;
};

// Before those that decide about serial loops and other tiles in registers, of which there are none then.
const CudaTransformation& ThreadRegisterRows();

}  // namespace tune
