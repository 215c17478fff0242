// Kernels that need nothing of each other run in one launch.
//
// Asks `independent_launches`, where kernels that the host launches one after the other, each by itself or in
// a CUDA graph, are independent (Kernel::launch_group) and can have blocks of one size: apart; outside_loops,
// those outside of the host's loops in one launch, of which each block runs a block of one of them (the
// default where there are such); or together, those in the host's loops too. What is saved is the time to
// begin a launch, and that in which the last blocks of one leave the device half empty. Measured on an H200
// (float, EXTRALARGE): deriche, of which six launches compute a few numbers each, 1316 -> 1135 us; in loops
// over time nothing (fdtd-2d, jacobi-2d and adi 0.3 to 1 % slower).
//
// Several kernels whose threads load ahead each along a row (row_pieces.h) are apart but for `together`: so
// many places of memory at once are slower than half of them twice (deriche, two passes along 7680 rows: 118
// and 135 us apart, 323 together).
#pragma once

#include <set>

#include "common/transform/cuda_transformation.h"

namespace tune {

struct JoinedGroups {
  std::set<int> groups;  // Kernel::launch_group, of those that are launched together

  bool Joins(const Kernel& kernel) const { return groups.count(kernel.launch_group) > 0; }
};

// After Launches. Applied to the program (join_launches.h).
const CudaTransformation& JoinedLaunches();

}  // namespace tune
