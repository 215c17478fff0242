// From a mapped plan to the program that a device runs.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "common/space/cuda_space.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// Kernels and launches of `mapped`, with all that the plan decides (common/transform). `scop` and `mapped`
// are at the values of the parameters; `arrays` are the scop's. INVALID_ARGUMENT when the device's limits
// rule the plan out. To be called inside IslContext::Run; throws isl::exception.
absl::StatusOr<DeviceProgram> MakeDeviceProgram(IslContext& context, const CudaPlan& plan,
                                                const CudaSpaceOptions& options, const MappedProgram& mapped,
                                                const ParsedScop& scop, std::vector<DeviceArray> arrays,
                                                const HelperNames& names, bool origins);

// Whether the program is what the plan decides; one that was edited need not be. Errors as CheckDecisions of
// transformations.h.
absl::Status CheckDecisions(const CudaPlan& plan, const MappedProgram& mapped, const ParsedScop& scop,
                            const HelperNames& names, const DeviceProgram& program);

}  // namespace tune
