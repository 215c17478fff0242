// The schedule of a program's launches.
#pragma once

#include <map>
#include <string>

#include "common/isl/isl.h"

namespace tune {

// The part of `tree` above its kernels, over launches instead of statement instances: each subtree under a
// mark named in `launches` becomes { K[h...] }, where h are the values of the bands above it. Throws
// isl::exception.
isl::schedule HostTree(const isl::schedule& tree, const std::map<std::string, isl::set>& launches);

}  // namespace tune
