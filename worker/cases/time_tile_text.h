// The CUDA file's part that runs several steps of a stencil loop in a launch.
#pragma once

#include <string>

#include "worker/cases/case_kernel_printer.h"
#include "worker/cases/time_tiles.h"

namespace tune {

struct TimeTileText {
  CaseKernelText kernel;  // with what it is as a comment
  std::string function;   // C++ of the host: launches it, or tells that it is not for the call
  std::string call;       // C++ for the beginning of LaunchAll, which returns where it was launched
};

// A block has a tile of each of the arrays in shared memory: elements of its own and, around them, those that
// its steps spoil, step by step. A launch reads the whole arrays of the step before it from one copy and
// writes the next to another one: the user's and one that is borrowed for the call. Where a block's tile
// holds all elements that are used, it runs all steps, by a kernel with one point a thread where these are
// few. How many steps a launch has is chosen in each call.
TimeTileText PrintTimeTiles(const TimeTiles& tiles, const ParametricRegion& region);

}  // namespace tune
