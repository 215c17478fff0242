// What this machine is, as the server is told.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/device.pb.h"

namespace tune {

// The `cpu` target of this machine. `threads`: hardware threads that candidates may use, 0: those that this
// process may run on.
v1::Device DescribeHost(const std::string& compiler_version, int threads);

// The host's name without its domain.
std::string HostName();

}  // namespace tune
