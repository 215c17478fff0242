// Conditions of kernels that run at each step of a tile.
#pragma once

#include <string>

#include "common/program/device_program.h"

namespace tune {

// Has conditions say which steps they hold in, `step >= max(..) && step <= min(..)`, in place of what they
// ask of sums in which the step is. The kernel is a function in a loop over steps, and compilers move out of
// it what is the same in all of them: the largest and the least there are two numbers then, however many
// conditions there were. `step`: name of the host's value. Sums of no more than two of the numbers that were
// compared arise. Kernels that compare the step with iterations of their own loops, as tiles that stream do
// in each of their levels, are left: all iterations ask the same sum of the step there, which is computed
// once.
void SolveForStep(const std::string& step, DeviceKernel* kernel);

}  // namespace tune
