#include "worker/check/mapping_check.h"

#include "worker/check/dependence_check.h"
#include "worker/check/local_memory_check.h"
#include "worker/check/loop_mark_check.h"
#include "worker/check/padding_check.h"
#include "worker/check/placement_check.h"

namespace tune {
namespace {

absl::Status Check(IslContext& context, const MappedProgram& program, const ParsedScop& scop,
                   const Dependences& dependences, const std::map<std::string, int64_t>& parameter_values,
                   const CudaIds& ids) {
  const isl::set values = ParameterValues(context, parameter_values);
  std::vector<KernelPlacement> placements;
  for (const MappedKernel& kernel : program.kernels)
    placements.push_back(PlacementOf(kernel, scop, ids, values));
  TUNE_RETURN_IF_ERROR(CheckPlacements(placements, program, scop, values));
  for (const KernelPlacement& placement : placements)
    TUNE_RETURN_IF_ERROR(CheckLocalMemory(placement, scop, values));
  for (const KernelPlacement& placement : placements)
    TUNE_RETURN_IF_ERROR(CheckPadding(placement, scop, values));
  for (const KernelPlacement& placement : placements) {
    TUNE_RETURN_IF_ERROR(CheckLoopMarks(absl::StrCat("kernel ", placement.name()), placement.leaves,
                                        placement.kernel->context));
  }
  TUNE_RETURN_IF_ERROR(CheckLoopMarks("the host tree", FindLeaves(program.host), values));
  for (KernelPlacement& placement : placements) SimplifyPlaces(scop, values, &placement);
  return CheckDependences(placements, program, scop, dependences, values);
}

}  // namespace

absl::Status CheckMapping(IslContext& context, const MappedProgram& program, const ParsedScop& scop,
                          const Dependences& dependences,
                          const std::map<std::string, int64_t>& parameter_values, const CudaIds& ids) {
  const absl::Status status = context.Run("checking the mapping", [&]() -> absl::Status {
    return Check(context, program, scop, dependences, parameter_values, ids);
  });
  if (!absl::IsFailedPrecondition(status)) return status;
  return absl::FailedPreconditionError(absl::StrCat("wrong mapping: ", status.message()));
}

}  // namespace tune
