#include "worker/codegen/openmp_generator.h"

#include "common/program/helper_names.h"
#include "common/scop/certain_access.h"
#include "common/transform/transformations.h"
#include "worker/lower/openmp_lowering.h"
#include "worker/passes/atomic_updates.h"
#include "worker/passes/guarded_updates.h"
#include "worker/passes/loop_bounds.h"
#include "worker/print/openmp_printer.h"

namespace tune {

absl::StatusOr<OpenMpProgram> MakeOpenMpProgram(IslContext& context, const isl::schedule& schedule,
                                                const ParsedScop& scop,
                                                const std::map<std::string, int64_t>& parameter_values) {
  const HelperNames names = ChooseHelperNames(scop.proto);
  TUNE_ASSIGN_OR_RETURN(
      OpenMpProgram program, context.Run("code generation", [&]() -> absl::StatusOr<OpenMpProgram> {
        OpenMpProgram lowered = LowerOpenMp(context, schedule, scop, parameter_values, names);
        MarkGuardedUpdates(MayLackTargets(context, scop, parameter_values), &lowered);
        return lowered;
      }));
  for (const OpenMpTransformation* transformation : OpenMpTransformations())
    transformation->Apply(scop.proto, names, &program);
  NameLoopBounds(names, &program);
  MarkAtomicUpdates(scop.proto, &program);
  return program;
}

absl::StatusOr<std::string> PrintOpenMpBlock(IslContext& context, const isl::schedule& schedule,
                                             const ParsedScop& scop,
                                             const std::map<std::string, int64_t>& parameter_values) {
  TUNE_ASSIGN_OR_RETURN(const OpenMpProgram program,
                        MakeOpenMpProgram(context, schedule, scop, parameter_values));
  return PrintOpenMp(program, scop.proto, ChooseHelperNames(scop.proto));
}

}  // namespace tune
