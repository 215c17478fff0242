// tunectl as a function.
#pragma once

#include <string>
#include <vector>

#include "client/cli/session.h"

namespace tune {

// Runs `tunectl ARGUMENTS...` and returns what the program exits with. Never throws.
int RunTunectl(const std::vector<std::string>& arguments, const Session::Streams& streams);

}  // namespace tune
