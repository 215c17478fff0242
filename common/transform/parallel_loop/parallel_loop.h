// Iterations of one loop run in parallel, on OpenMP's threads.
//
// Asks `.parallel`, the member of the kernel's root band whose iterations are independent (none, or the first
// that can, where the kernel is a packed product, whose blocks are what runs in parallel), and `.threads`,
// where the device has several. By default all of them where the kernel is long enough to pay for their
// start.
#pragma once

#include "common/transform/openmp_transformation.h"

namespace tune {

struct ParallelMember {
  int member = -1;  // of the root band, whose (tile) loop runs in parallel; -1: none
  int threads = 1;
  bool all_threads = false;  // these are all that the device has: elsewhere, all that there are
};

const OpenMpTransformation& ParallelLoop();

}  // namespace tune
