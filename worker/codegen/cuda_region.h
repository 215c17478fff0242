// A generated program in the user's place: the file that holds it, and the call that takes the region's
// place.
#pragma once

#include <string>

#include "tune/v1/scop.pb.h"
#include "worker/codegen/cuda_program.h"

namespace tune {

struct CudaRegion {
  // CUDA C++ for nvcc: kernels, launches, and
  //   extern "C" void tune_region_NAME(void *const *arrays);
  // which allocates device memory, copies in, launches, copies back and frees; arrays[i] is the host memory
  // of scop.arrays(i), not read when the array is declared inside the region. A CUDA error is printed with
  // its place and ends the process with status 1. Compiled with -DTUNE_TIME it first runs to
  // warm up, prints each kernel's time, and five times the whole time on the device, without copies.
  std::string file;
  // A C block in the user's own names that calls it.
  std::string call;
};

CudaRegion PrintCudaRegion(const CudaProgram& program, const v1::Scop& scop);

}  // namespace tune
