// Prints one kernel that runs several: loops around calls of them.
#pragma once

#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// CUDA C, to follow the kernels; `merged`: of the program's host.
std::string PrintMergedKernel(const DeviceProgram& program, const MergedLaunch& merged,
                              const HelperNames& names);

// What it takes first: the arrays that some of its kernels use, in the scop's order.
std::vector<const DeviceArray*> MergedKernelArrays(const DeviceProgram& program, const MergedLaunch& merged);

// Sizes that it takes behind them: those of its kernels, in the order in which these are called.
std::vector<std::string> MergedKernelSizes(const DeviceProgram& program, const MergedLaunch& merged);

// All of the program, in the order of the text.
std::vector<const MergedLaunch*> MergedLaunchesOf(const DeviceProgram& program);

}  // namespace tune
