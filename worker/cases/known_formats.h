// Formats that the lab found, in a file with cases.
#pragma once

#include <string>

#include "tune/v1/cases.pb.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// Those of the kernel that name all of the region's own parameters, and as many axes as it has.
v1::CaseFormats FormatsOf(const ParametricKernel& kernel, const ParametricRegion& region,
                          const v1::CaseFormats& all);

// The table of these formats, and the statements of FUNCTION_choose that try them before its own: those of
// this device whose sizes are near, the nearest first. `threads`: of a block, in C++ of a Format `format`.
// Both are empty where there are none.
struct KnownFormatsText {
  std::string table, choice;
};
KnownFormatsText PrintKnownFormats(const ParametricKernel& kernel, const ParametricRegion& region,
                                   const v1::CaseFormats& formats, const std::string& threads);

// Of the host's part of a file that has some, before the functions of kernels: what is near, by the rule of
// libtune (tune.h, tune_look_up).
extern const char kNearSizes[];

}  // namespace tune
