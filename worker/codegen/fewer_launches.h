// Where programs of fewer launches are better than the defaults.
#pragma once

#include <vector>

#include "common/device/device_facts.h"
#include "worker/codegen/size_classes.h"
#include "worker/codegen/symbolic_program.h"

namespace tune {

// Defaults are decided kernel by kernel, so that at some sizes kernels may have blocks of other sizes, and do
// not fit into one launch. Gives a cell whose program has several launches another class, whose program has
// fewer, where that takes no longer: by the time that a launch takes, and iterations that threads run one
// after another. Programs whose host has loops are left as they are. `cells`: of the programs' grid.
void PreferFewerLaunches(const DeviceFacts& device, const std::vector<SizeCell>& cells,
                         SymbolicPrograms* programs);

}  // namespace tune
