// Kernels whose blocks have parts of a sum that are known when they run.
#pragma once

#include "common/base/status.h"
#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "common/transform/symbolic_split.h"

namespace tune {

// The program of a split scop (symbolic_split.h) as one in which each part has its own additions: the kernel
// of the parts is told `first` and `count` of the last part, and computes those of its block's part from
// them. All parts but the last one then have as many additions, and begin one behind the other.
// INVALID_ARGUMENT where that cannot be: the parts are no axis of blocks of one launch, or the host, or
// another kernel, asks for what the parts have.
absl::Status GivePartsToBlocks(const SymbolicSplit& split, const HelperNames& names, DeviceProgram* program);

}  // namespace tune
