// Prints one kernel that runs a whole program: the host's loops around the bodies of its kernels, with
// barriers in place of the ends of launches.
#pragma once

#include <string>
#include <vector>

#include "worker/codegen/kernel_signature.h"

namespace tune {

struct PersistentKernel {
  std::string function;
  int64_t threads = 1;        // of a block; those of kernels divide it
  int64_t blocks = 1;         // of the launch: all must be on the device at once
  int64_t per_processor = 1;  // blocks that a multiprocessor must hold
};

struct PersistentKernelText {
  std::string kernel;  // CUDA C, to follow the bodies
  std::string plan;    // CudaProgram::plan, with one launch
};

// `signatures`, parallel to program.kernels, name the bodies. A launch with fewer threads than the block has
// runs several of its blocks at the same time; a kernel with barriers must have as many. Between two launches
// stands a barrier when they touch an array that one of them writes. To be called inside IslContext::Run;
// throws isl::exception.
PersistentKernelText PrintPersistentKernel(const PersistentKernel& kernel, const MappedProgram& program,
                                           const std::vector<KernelSignature>& signatures,
                                           const isl::set& values, const HelperNames& names);

}  // namespace tune
