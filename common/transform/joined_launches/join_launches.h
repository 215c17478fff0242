// One launch for kernels that need nothing of each other.
#pragma once

#include <functional>
#include <string>

#include "common/program/device_program.h"

namespace tune {

// In place of the host's launches of the kernels that `joins` names, which are functions, merged launches
// that have blocks for each: one launch for those that stand directly behind each other while none touches
// an array that another one writes. Its blocks have as many threads as the largest of them; where a kernel
// has fewer, a block runs several of its blocks. `function`: the first launch's; others add a number.
void JoinLaunches(const std::string& function, const std::function<bool(int kernel)>& joins,
                  DeviceProgram* program);

}  // namespace tune
