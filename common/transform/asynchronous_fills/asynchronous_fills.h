// Copies into tiles in shared memory that only begin where they stand in the program, and go past the
// registers (PTX ISA, "cp.async"; compute capability 8.0 and later).
//
// Asks `.fills`, plain or asynchronous, where tiles are filled again and again. How far they run ahead is
// asked by buffers. Asynchronous by default where the device has such copies, unless threads of their own do
// nothing but fill.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct FillCopies {
  bool asynchronous = false;
};

const CudaTransformation& AsynchronousFills();

}  // namespace tune
