// Prints a variant of a kernel with symbols as CUDA C.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"
#include "worker/cases/kernel_variant.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// What must be defined before kernels.
struct CaseHelpers {
  std::set<std::string> macros;  // of the helper names
  std::set<int64_t> copies;      // bytes of those that FillFunctions begin

  void Add(const CaseHelpers& others);
  std::string Definitions(const HelperNames& names) const;
};

struct CaseKernelText {
  std::string text;
  CaseHelpers helpers;
};

// A block's format is blockDim: its last axis lies along x. Points of a thread are blockDim.x apart, so that
// neighbours in a warp stay neighbours in memory. Each array lies in rows one after another, whose lengths
// are arguments. Shared memory is given by the launch.
CaseKernelText PrintCaseKernel(const ParametricKernel& kernel, const ParametricRegion& region,
                               const KernelVariant& variant);

}  // namespace tune
