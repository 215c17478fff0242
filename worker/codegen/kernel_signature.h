// The parameters of one kernel: what its text declares and its launches pass, in one order.
#pragma once

#include <string>
#include <vector>

#include "worker/codegen/ast_expression.h"
#include "worker/codegen/device_array.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// The coordinates of blocks along one axis.
struct GridAxis {
  bool first_is_constant = false;  // the first block is the same in every launch
  int64_t first = 0;               // then
  int64_t most_blocks = 1;         // in any launch
};

struct KernelSignature {
  struct Array {
    const DeviceArray* array;
    bool writes;  // by this kernel
    bool shared;  // the launch writes it, in this kernel or another: not `__restrict__`
    ArrayLoads loads = ArrayLoads::kReadOnly;  // unless the launch writes it
  };
  std::string function;
  std::vector<Array> arrays;   // those that the kernel uses, in the scop's order
  int host_depth = 0;          // values of the host loops are passed
  std::vector<GridAxis> axes;  // x first; those whose first block varies are passed
  // CUDA allows 65,535 blocks along y and z: where there may be more, all blocks lie along x, and the numbers
  // of blocks along the first axes are passed.
  bool linear_grid = false;
  const char* integer_type = "int";  // of what is passed and of iterators
  // One launch runs all kernels: this one is a device function, which is told its block and thread.
  bool is_function = false;
};

// `integer_type` is left as it is. `together`: one launch runs all kernels. INVALID_ARGUMENT when a launch
// would have more than 2^31 - 1 blocks.
absl::StatusOr<KernelSignature> MakeKernelSignature(const MappedKernel& kernel, const ParsedScop& scop,
                                                    const std::vector<DeviceArray>& arrays,
                                                    const std::string& function, bool together);

// "double (*__restrict__ C)[100], const double alpha, const int tune_h0"
std::string PrintParameters(const KernelSignature& signature, const HelperNames& names);

}  // namespace tune
