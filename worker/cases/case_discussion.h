// From a region to its case discussion: code in which sizes are arguments, and when which variant is for.
#pragma once

#include "common/base/status.h"
#include "tune/v1/cases.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// For CUDA. INVALID_ARGUMENT when the region cannot be so (MakeParametricRegion); RESOURCE_EXHAUSTED and
// INTERNAL from isl and for too many cases.
absl::StatusOr<v1::CaseDiscussion> DiscussCases(const v1::Scop& scop);

}  // namespace tune
