// Are the launches of a device program those of its host tree, and are they ordered in one launch of all?
#pragma once

#include <vector>

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when the host launches each kernel as often as its tree does, with the values of the host's loops and
// all blocks that may have work, in the order that the tree gives them; and where one launch runs all
// kernels, when barriers stand between two of them that touch an array which one of them writes, each with
// enough threads; and launches of tiles are what program_tiles_check.h says. Otherwise FAILED_PRECONDITION.
// `values`: of the parameters. Throws isl::exception.
absl::Status CheckProgramHost(const DeviceProgram& program, const MappedProgram& mapped,
                              const isl::set& values, const HelperNames& names);

}  // namespace tune
