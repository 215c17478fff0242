// A plan at the values of its parameters: mapped, checked, and as a program for the device.
#pragma once

#include <memory>

#include "common/program/device_program.h"
#include "common/space/cuda_space.h"
#include "tune/v1/evaluation.pb.h"
#include "worker/codegen/given_trees.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// The program points into the plan.
struct MappedPlan {
  CudaPlan plan;
  std::shared_ptr<const ParsedScop> scop;
  MappedProgram program;
};

// `trees`: in place of those that are made; `observer` sees those that are taken. INVALID_ARGUMENT when
// `trees` cannot be taken; INTERNAL and RESOURCE_EXHAUSTED from isl.
absl::StatusOr<std::unique_ptr<MappedPlan>> MapPlan(const CudaPlan& plan, const CudaSpaceOptions& options,
                                                    const TreeTexts& trees = {},
                                                    const TreeHook& observer = {});

// Kernels and launches of the mapped plan, with all that the plan decides. `arrays` are those of the plan's
// scop. `origins`: nodes know theirs, for checks. INVALID_ARGUMENT when the device's limits rule the plan
// out; errors of isl.
absl::StatusOr<DeviceProgram> LowerMapped(const CudaPlan& plan, const CudaSpaceOptions& options,
                                          const MappedPlan& mapped, std::vector<DeviceArray> arrays,
                                          bool origins = false);

// The mapping, and the program, whose nodes know their origins: worker/check/mapping_check.h,
// program_check.h.
absl::Status CheckMapped(const CudaPlan& plan, const MappedPlan& mapped, const DeviceProgram& program);

}  // namespace tune
