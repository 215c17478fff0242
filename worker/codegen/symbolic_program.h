// A program for all sizes, which the host's code tells them when it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/space/cuda_space.h"

namespace tune {

// Indices of elements are `int` where subscripts are.
inline constexpr int64_t kMostElements = INT32_MAX;

struct SymbolicProgram {
  // Kernels that are told their `sizes`, and launches of them; expressions mention parameters by name. Arrays
  // have named extents.
  DeviceProgram device;
  std::string kernels;              // CUDA C
  std::vector<int64_t> alignments;  // parallel to arrays: bytes that an address must be a multiple of
  // When it computes what the region does: of the parameters; besides, no array may have more than
  // kMostElements.
  IndexExpression requirement;
  // Parallel to the kernels: the most blocks of one of its launches along each axis, of the parameters.
  std::vector<std::vector<IndexExpression>> most_blocks;
};

// The default programs at about each of `typical`, without those that are no others than the one before, and
// those that cannot be made. Functions of kernels are named `name`, the program's number, "_kernel" and a
// number. Where no program is left, the first error: INVALID_ARGUMENT where one needs values of parameters;
// errors of isl. Precondition: names of parameters are ones that CUDA has no other use for.
absl::StatusOr<std::vector<SymbolicProgram>> GenerateSymbolic(const v1::Scop& scop,
                                                              const CudaSpaceOptions& options,
                                                              const std::vector<int64_t>& typical,
                                                              const std::string& name);

}  // namespace tune
