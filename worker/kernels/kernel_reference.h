// The reference of hand-written kernels: what configurations' outputs are compared with.
#pragma once

#include <string>

#include "worker/reference/reference_data.h"

namespace tune {

// As RunReference: makes the arguments, runs the default configuration, or the function that the definition
// names, and has its outputs and its time as the reference's. Fresh inputs are random fills with seeds that
// nobody can know.
absl::StatusOr<ReferenceData> RunKernelReference(const v1::StudySetup& setup, const ReferenceTools& tools,
                                                 const std::string& folder, std::string* log);

}  // namespace tune
