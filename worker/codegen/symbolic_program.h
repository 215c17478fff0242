// A program for all sizes, which the host's code tells them when it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/space/cuda_space.h"
#include "worker/codegen/size_classes.h"
#include "worker/codegen/size_grid.h"
#include "worker/codegen/symbolic_plan.h"
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
  int size_class = 0;  // SymbolicPrograms::classes
};

// Programs for all sizes, and which are the best at which.
struct SymbolicPrograms {
  std::vector<SymbolicProgram> programs;
  SizeGrid grid;
  std::vector<int> classes;  // of each cell of the grid: the size_class of the best ones there
  int processors = 1;        // multiprocessors of the device for which they are
};

// Plans for sizes up to the largest that programs are made for. Several makers of programs of one scop share
// them. Errors as SymbolicPlans::Make.
using SharedPlans = absl::StatusOr<std::shared_ptr<const SymbolicPlans>>;
SharedPlans MakeSharedPlans(const v1::Scop& scop, const CudaSpaceOptions& options, const ScopForm& form = {});

// How programs for all sizes are made of another scop than the user's.
struct SymbolicForm {
  ScopForm scop = {};
  CellValues values = {};                                           // as FindClasses takes them
  std::function<absl::Status(DeviceProgram* program)> change = {};  // of each program; may be empty
  int most_classes = 12;  // of sizes that have programs of their own
};

// The default programs at the sizes of a grid, those that are for most of them first; at sizes whose program
// is not among these, that of the nearest ones is the best. Where rows that are whole multiples of what a
// thread loads at once make another program (whole_rows.h), that stands before the one for any rows, of the
// same class: DeviceArray::extents of its arrays are what their extents must be multiples of. Functions of
// kernels are named `name`, the program's number, "_kernel" or, of several in one launch, "_kernels", and a
// number. Where no program can be made, the first error: INVALID_ARGUMENT where one needs values of
// parameters; errors of isl. Precondition: names of parameters are ones that CUDA has no other use for.
absl::StatusOr<SymbolicPrograms> GenerateSymbolic(const v1::Scop& scop, const CudaSpaceOptions& options,
                                                  const SizeGrid& grid, const std::string& name,
                                                  const SymbolicForm& form = {});
// The same with what MakeSharedPlans makes of the scop.
absl::StatusOr<SymbolicPrograms> GenerateSymbolic(const v1::Scop& scop, const CudaSpaceOptions& options,
                                                  const SizeGrid& grid, const std::string& name,
                                                  const SharedPlans& plans, const SymbolicForm& form = {});

}  // namespace tune
