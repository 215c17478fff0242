// Copies of registers stand where their instances do.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Where one condition, without an else, holds all instances and fills of the kernel, what copies between
// registers and arrays before and behind it goes into it: where it does not hold no instance runs, and there
// is nothing to be copied. Compilers see then that what is set first need not be loaded.
void CopyInsideCondition(DeviceKernel* kernel);

}  // namespace tune
