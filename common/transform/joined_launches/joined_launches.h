// Kernels that need nothing of each other run in one launch.
//
// Asks `independent_launches`, where kernels that the host launches one after the other, each by itself or in
// a CUDA graph, are independent (Kernel::launch_group) and can have blocks of one size: apart; outside_loops,
// those outside of the host's loops in one launch, of which each block runs a block of one of them, but for
// those that share an array which one of them writes; small, these and those in loops too, where the device
// holds all threads of each kernel at once (the default); or together, all. What is saved is the time to
// begin a launch, and that in which the last blocks of one leave the device half empty. Measured on an H200
// (float, EXTRALARGE): deriche, of which six launches compute a few numbers each, 1316 -> 1135 us; lu in
// blocks 6.99 -> 6.15 ms, cholesky 5.34 -> 5.23; in loops over time whose launches fill the device nothing
// (fdtd-2d, jacobi-2d and adi 0.3 to 1 % slower), nor in a product beside a loop that writes other elements
// of its result (correlation 665 -> 681 us).
//
// Kernels may write different elements of one array, as the panels of a factorisation in blocks do. Then
// shared memory holds no tiles of a kernel whose fills, which go beyond what statements read, meet what
// another one writes (promote_shared.h).
//
// Several kernels whose threads load ahead each along a row (row_pieces.h) are apart but for `together`: so
// many places of memory at once are slower than half of them twice (deriche, two passes along 7680 rows: 118
// and 135 us apart, 323 together).
#pragma once

#include <map>
#include <string>

#include "common/transform/cuda_transformation.h"

namespace tune {

struct JoinedGroups {
  std::map<std::string, int> kernels;  // by Kernel::name the launch_group, of those launched together

  bool Joins(const Kernel& kernel) const { return kernels.count(kernel.name) > 0; }
};

// Of one kernel: whether it is launched together with others.
struct JoinedKernel {
  bool on = false;
};

// After Launches. Applied to the program (join_launches.h).
const CudaTransformation& JoinedLaunches();

}  // namespace tune
