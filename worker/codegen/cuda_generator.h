// From the decisions about a candidate to CUDA C and its launch sequence.
#pragma once

#include <vector>

#include "common/space/cuda_space.h"
#include "tune/v1/evaluation.pb.h"
#include "worker/codegen/given_trees.h"
#include "worker/print/cuda_program.h"

namespace tune {

// The plan's program at the parameter values of its space, of which the reference tells the extents of
// arrays. The program's arrays are those of plan.schedules->scop(). Errors: INVALID_ARGUMENT when the
// device's limits or the reference rule the plan out (outcome CONSTRAINTS); INTERNAL and RESOURCE_EXHAUSTED
// from isl. With `trees` in place of those that mapping makes, INVALID_ARGUMENT also when these cannot be
// taken, and the errors of CheckCuda for what comes of them.
absl::StatusOr<CudaProgram> GenerateCuda(const CudaPlan& plan, const CudaSpaceOptions& options,
                                         const v1::Reference& reference, const TreeTexts& trees = {});

// Maps the plan as GenerateCuda does, makes the program of it and checks both (worker/check/mapping_check.h,
// program_check.h): OK, FAILED_PRECONDITION when the program would be wrong, RESOURCE_EXHAUSTED when the
// check is too hard.
absl::Status CheckCuda(const CudaPlan& plan, const CudaSpaceOptions& options, const v1::Reference& reference);

// CheckCuda if wanted, whose errors are returned, and these stages: schedule trees, of "schedule" (kernels
// marked, parameters as letters) and those of TreeHook, titled by TreeTitle; "program", the text of the
// DeviceProgram (program_text.h), which needs the reference as the check does, with the errors of
// GenerateCuda. With `trees` those that come of them. INVALID_ARGUMENT for other stages, and when `trees`
// cannot be taken.
absl::StatusOr<std::vector<v1::Finding>> DiagnoseCuda(const CudaPlan& plan, const CudaSpaceOptions& options,
                                                      const v1::Reference& reference,
                                                      const v1::Diagnosis& diagnosis,
                                                      const TreeTexts& trees = {});

}  // namespace tune
