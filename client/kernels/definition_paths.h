// Files that a definition names, seen from another folder.
#pragma once

#include <string>

#include "tune/v1/kernel.pb.h"

namespace tune {

// The path, relative to `from`, as one relative to `to`; both are folders, empty: the current one. Absolute
// and empty paths stay.
std::string RebasePath(const std::string& path, const std::string& from, const std::string& to);

// All but the source file.
void RebaseFiles(const std::string& from, const std::string& to, v1::KernelDefinition* definition);

}  // namespace tune
