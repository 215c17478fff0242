// Which elements of arrays the launches of a kernel touch, and whether launches of two kernels are apart.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/scop/scop.h"

namespace tune {

// By the values of the host loops around the kernel.
struct LaunchElements {
  isl::union_map written;  // { [h] -> A }
  isl::union_map touched;  // the same of what is read, too
};

// Those of `arrays` that the instances of `statements` at and below `node` touch, which stands below the
// host's loops. `values`: of the parameters. Elements that data decide are all that they may be. Throws
// isl::exception.
LaunchElements ElementsOfLaunches(const isl::schedule_node& node, const std::vector<std::string>& statements,
                                  const std::set<std::string>& arrays, const ParsedScop& scop,
                                  const isl::set& values);

// Whether at the same values of the host loops neither touches an element that the other one writes. Throws
// isl::exception.
bool AreApart(const LaunchElements& one, const LaunchElements& other);

}  // namespace tune
