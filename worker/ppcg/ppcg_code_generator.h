// PPCG as the generator of a study.
#pragma once

#include <memory>

#include "worker/codegen/code_generator.h"
#include "worker/ppcg/ppcg_generator.h"

namespace tune {

// CUDA C for the `cuda` target by PPCG, walked over common/space/ppcg_space.h with the shapes that the
// reference has recorded. As PpcgGenerator::Make.
absl::StatusOr<std::unique_ptr<CodeGenerator>> MakePpcgCodeGenerator(const PpcgProgram& program,
                                                                     const v1::Scop& scop,
                                                                     const v1::Reference& reference,
                                                                     const PpcgOptions& options);

// Adds to the reference what PPCG makes of each schedule that the space holds; at most `at_once` runs of PPCG
// at a time, each within the options' limits. FAILED_PRECONDITION when there is no schedule that PPCG makes
// kernels with; CANCELLED; else as PpcgGenerator::Make.
absl::Status RecordPpcgSchedules(const PpcgProgram& program, const v1::Scop& scop, const PpcgOptions& options,
                                 int at_once, v1::Reference* reference);

}  // namespace tune
