// What this machine computes with.
#pragma once

#include <string>

namespace libtune {

// "cpu AMD EPYC 9654, 96 cores": the model as the kernel names it, and the cores that this process may use.
std::string HostDeviceName();

}  // namespace libtune
