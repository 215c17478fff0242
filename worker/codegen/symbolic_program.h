// A program for all sizes, which the host's code tells them when it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/space/cuda_space.h"
#include "worker/print/cuda_program.h"

namespace tune {

// Indices of elements are `int` where subscripts are.
inline constexpr int64_t kMostElements = INT32_MAX;

struct SymbolicProgram {
  // Kernels that are told their `sizes`, and launches of them; expressions mention parameters by name. Arrays
  // have named extents.
  DeviceProgram device;
  std::string kernels;                    // CUDA C
  std::vector<CudaKernelFacts> launched;  // its functions that are launched
  std::vector<int64_t> alignments;        // parallel to arrays: bytes that an address must be a multiple of
  // When it computes what the region does: of the parameters; besides, no array may have more than
  // kMostElements.
  IndexExpression requirement;
  // Parallel to the kernels: the most blocks of one of its launches along each axis, of the parameters.
  std::vector<std::vector<IndexExpression>> most_blocks;
  // Parallel to the kernels: where that launch has fewer blocks on the device of the options, another program
  // is better. 0: none is.
  std::vector<int64_t> least_blocks;
  int processors = 1;  // of that device
};

// The default programs at about each of `typical`, largest first, without those that are no others than one
// before, and those that cannot be made. The first one that is for the sizes and has blocks enough is the
// best of them (size_classes.h). Where rows that are whole multiples of what a thread loads at once make
// another program (whole_rows.h), that stands before the one for any rows: DeviceArray::extents of its arrays
// are what their extents must be multiples of. Functions of kernels are named `name`, the program's number,
// "_kernel" or, of several in one launch, "_kernels", and a number. Where no program is left, the first
// error: INVALID_ARGUMENT where one needs values of parameters; errors of isl. Precondition: names of
// parameters are ones that CUDA has no other use for.
absl::StatusOr<std::vector<SymbolicProgram>> GenerateSymbolic(const v1::Scop& scop,
                                                              const CudaSpaceOptions& options,
                                                              const std::vector<int64_t>& typical,
                                                              const std::string& name);

}  // namespace tune
