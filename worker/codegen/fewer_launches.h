// Where programs of fewer launches are better than those that the defaults would have.
#pragma once

#include <vector>

#include "common/device/device_facts.h"
#include "worker/codegen/symbolic_plan.h"
#include "worker/codegen/symbolic_program.h"

namespace tune {

// Defaults are decided kernel by kernel, so that at small sizes kernels may have blocks of other sizes, and
// no longer fit into one launch. Lowers SymbolicProgram::least_blocks of a program where the next one for
// smaller sizes has more launches, down to where it is the better one: by the time that a launch takes, and
// iterations that threads run one after another; leaves out programs behind one that runs at all sizes, and
// at all addresses of arrays, that they are for.
// Nothing changes where the host has loops. `plans`: of one of them. Errors of isl.
absl::Status PreferFewerLaunches(const SymbolicPlans& plans, const DeviceFacts& device,
                                 std::vector<SymbolicProgram>* programs);

}  // namespace tune
