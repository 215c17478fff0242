// Prints the launches of a program as C.
#pragma once

#include <string>
#include <vector>

#include "worker/codegen/kernel_signature.h"

namespace tune {

// CudaProgram::plan. `signatures` are parallel to program.kernels; `arrays`: how many the program has. To be
// called inside IslContext::Run; throws isl::exception.
std::string PrintLaunchPlan(IslContext& context, const MappedProgram& program,
                            const std::vector<KernelSignature>& signatures, size_t arrays,
                            const isl::set& values, const HelperNames& names);

// Pointer to what a kernel takes for the array, in a plan's `arguments`.
std::string LaunchArgument(const DeviceArray& array);

// A plan with that body, indented by two spaces a level, after `definitions`.
std::string LaunchPlanText(const std::string& definitions, const std::string& body);

// The same of one launch along x, of a kernel that takes `arrays`.
std::string PrintOneLaunch(const std::vector<const DeviceArray*>& arrays, int64_t blocks, int64_t threads);

}  // namespace tune
