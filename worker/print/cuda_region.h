// A generated program in the user's place: the file that holds it, and the call that takes the region's
// place.
#pragma once

#include <string>

#include "tune/v1/scop.pb.h"
#include "worker/print/cuda_program.h"

namespace tune {

struct CudaRegion {
  // CUDA C++ for nvcc. First the kernels; after the line kHostBegins what runs on the host: the entry points
  // of common/tuned/device_interface.h, and for `call`
  //   extern "C" int tune_region_NAME(void *const *arrays);
  // where arrays[i] is the host memory of scop.arrays(i), not read when the array is declared inside the
  // region. It copies in what is needed, runs, waits, and copies back what was written, on memory of the
  // device and a graph that it keeps for the next call; calls from several threads wait for each other. While
  // the program records a graph it does nothing: none of this may be in one. The
  // result is a cudaError_t: unless it is 0 no array has changed, and the first time a line on standard error
  // says why. Compiled with -DTUNE_TIME it first runs to warm up, prints each kernel's time, and five times
  // the whole time on the device, without copies.
  std::string file;
  // A C block in the user's own names that calls it, and sets `tune_done` to 1 where it returned 0
  // (common/tuned/tuned_file.h). Scalars go through copies, so that their address is not taken.
  std::string call;
};

CudaRegion PrintCudaRegion(const CudaProgram& program, const v1::Scop& scop);

}  // namespace tune
