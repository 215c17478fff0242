// One region as one Scop message.
#pragma once

#include <vector>

#include "client/extract/diagnostic.h"
#include "client/extract/macro_record.h"
#include "client/extract/region_finder.h"
#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct AssembledScop {
  v1::Scop scop;  // complete when `refusals` is empty; region.file is left to the caller
  std::vector<Refusal> refusals;
};

// `macros`: of the file. RESOURCE_EXHAUSTED or INTERNAL when isl gives up.
absl::StatusOr<AssembledScop> AssembleScop(const clang::ASTContext& ast, const FoundRegion& found,
                                           const std::vector<PlacedMeaning>& macros);

// What the user is told of a region on which AssembleScop gave up.
Refusal GivenUp(const FoundRegion& found, const absl::Status& error);

}  // namespace tune
