// A kernel of a device program beside what it was made of.
#pragma once

#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "common/scop/scop.h"
#include "worker/check/raised_kernel.h"
#include "worker/check/tree_leaf.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

struct CheckedKernel {
  const DeviceProgram* program = nullptr;
  const DeviceKernel* kernel = nullptr;
  const MappedKernel* mapped = nullptr;
  const ParsedScop* scop = nullptr;
  HelperNames names;
  isl::set context;               // of the coordinates, whenever a thread runs, with the parameters' values
  std::vector<TreeLeaf> leaves;   // of the thread tree, with what the mapper added
  std::vector<RaisedNode> nodes;  // of the kernel
  std::vector<std::string> threads;  // names of the thread's coordinates

  // FAILED_PRECONDITION: "kernel k[S0]: " and the parts.
  template <typename... Parts>
  absl::Status Fault(const Parts&... parts) const {
    return absl::FailedPreconditionError(absl::StrCat("kernel ", kernel->name, ": ", parts...));
  }
};

}  // namespace tune
