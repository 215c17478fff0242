// Whether the accesses that data decide about stay inside of their arrays in the program's own run.
#pragma once

#include <string>

#include "common/scop/outside_access.h"
#include "worker/reference/reference_data.h"

namespace tune {

// Runs the region, as extracted and in its original order, on the recorded inputs with a check of the
// accesses that isl cannot tell about: to elements that data decide, and those under conditions on data.
// `data`: inputs, values of the parameters, extents. FAILED_PRECONDITION with the first access outside, the
// iteration and what to do. Where the region cannot be run so, or not in the time there is, a line of `log`
// says why, and all is well. CANCELLED, or the disk's errors.
absl::Status CheckDataAccesses(const v1::StudySetup& setup, const ReferenceTools& tools,
                               const ReferenceData& data, const KnownMemory& memory, std::string* log);

}  // namespace tune
