// Ranges of sizes in which the default decisions are the same.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/status.h"
#include "worker/codegen/symbolic_plan.h"

namespace tune {

struct SizeClass {
  int64_t typical = 0;  // what parameters are about
  // Down to where the decisions are those of the typical size; below they are others, of the next class or
  // between the two. 0: of the last class, which is for all that are smaller.
  int64_t least = 0;
};

// For the sizes, largest first, without those at which the decisions are those at the size before. Sizes that
// the parameters cannot have are left out, for which errors go to `status`.
std::vector<SizeClass> ClassesOf(const SymbolicPlans& plans, const std::vector<int64_t>& typical,
                                 absl::Status* status);

}  // namespace tune
