// What a process that is not trusted learns of this one's environment.
#pragma once

#include <string>
#include <vector>

namespace tune {

// "NAME=value" of the variables that compilers, OpenMP, CUDA and sanitizers read, and PATH; not those that
// name the worker's server, token or folders, nor any that is not known. HOME and TMPDIR are `folder`.
std::vector<std::string> CleanEnvironment(const std::string& folder);

}  // namespace tune
