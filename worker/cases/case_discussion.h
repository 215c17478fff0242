// From a region to its case discussion: code in which sizes are arguments, and when which variant is for.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// For CUDA; `online`: libtune picks formats in each call, and whether the original runs (online_file.h).
// Registers are those that nvcc counts for `architecture` ("sm_90"); where that is empty, or nvcc is missing
// or fails, which a line of `notes` then tells, they are estimated. INVALID_ARGUMENT when the region cannot
// be so (MakeParametricRegion); RESOURCE_EXHAUSTED and INTERNAL from isl and for too many cases.
absl::StatusOr<v1::CaseDiscussion> DiscussCases(const v1::Scop& scop, const std::string& architecture,
                                                bool online, std::vector<std::string>* notes);

}  // namespace tune
