// Do the parts of a device program fit together?
#pragma once

#include "common/program/device_program.h"
#include "common/scop/scop.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// OK when host and kernels have nodes of their kinds, which name statements, copies, tiles and kernels that
// there are, each instance and copy with its origin: what the other checks and the printers take for granted.
// Otherwise FAILED_PRECONDITION.
absl::Status CheckProgramForm(const DeviceProgram& program, const MappedProgram& mapped,
                              const ParsedScop& scop);

}  // namespace tune
