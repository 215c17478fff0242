// The reference of hand-written kernels: what configurations' outputs are compared with.
#pragma once

#include <string>

#include "worker/kernels/reference_program.h"

namespace tune {

// As RunReference: makes the arguments, runs the default configuration, or the kernel or function that the
// definition names, and has its outputs and its time as the reference's. Fresh inputs are random fills with
// seeds that nobody can know. `device`: for kernels in CUDA; null: there is none here.
absl::StatusOr<ReferenceData> RunKernelReference(const v1::StudySetup& setup, const ReferenceTools& tools,
                                                 const ReferenceDevice* device, const std::string& folder,
                                                 std::string* log);

}  // namespace tune
