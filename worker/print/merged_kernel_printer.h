// Prints one kernel that runs a whole program: the host's loops around calls of its kernels.
#pragma once

#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// CUDA C, to follow the kernels. Precondition: program.merged.
std::string PrintMergedKernel(const DeviceProgram& program, const HelperNames& names);

// What it takes: those that some kernel uses, in the scop's order.
std::vector<const DeviceArray*> MergedKernelArrays(const DeviceProgram& program);

}  // namespace tune
