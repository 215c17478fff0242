// From what a thread of a kernel runs to a kernel as data.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// Sets index type, tiles and body of `lowered`, which has what LowerKernelParameters makes. Nothing is said
// of barriers, of which threads fill tiles, of copies of tiles, or where the block's coordinates come from:
// that is for passes. To be called inside IslContext::Run; throws isl::exception.
void LowerKernelBody(IslContext& context, const MappedKernel& kernel, const ParsedScop& scop,
                     const std::vector<DeviceArray>& arrays, const HelperNames& names, bool origins,
                     DeviceKernel* lowered);

}  // namespace tune
