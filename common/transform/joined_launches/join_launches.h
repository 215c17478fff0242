// One launch for kernels that need nothing of each other.
#pragma once

#include <map>
#include <string>

#include "common/program/device_program.h"

namespace tune {

// In place of the host's launches of the kernels that `groups` names, which are functions, merged launches
// that have blocks for each: one launch for those of one group that stand directly behind each other, each
// once, at the same values of the host's loops. Its blocks have as many threads as the largest of them; where
// a kernel has fewer, a block runs several of its blocks. Kernels take arrays that others of their launch
// write as shared ones. `groups`: by DeviceKernel::name; kernels of one number are independent. `function`:
// the first launch's; others add a number.
void JoinLaunches(const std::string& function, const std::map<std::string, int>& groups,
                  DeviceProgram* program);

}  // namespace tune
