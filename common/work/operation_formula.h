// How a region's work grows with its sizes.
#pragma once

#include <string>

#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The floating-point operations of the region as they are written, of a ?: the shorter branch, for large
// values of the parameters: "2*ni*nj*nk + ni*nj", terms of highest degree first; "0" for none. Statements
// behind conditions on data count as if these held. Empty where the number of instances is no polynomial, or
// another one for some of these values. Computed in an isl context of its own under `limits`;
// RESOURCE_EXHAUSTED when they end it; other errors are those of ParseScop.
absl::StatusOr<std::string> OperationFormula(const v1::Scop& scop, const IslContext::Limits& limits = {
                                                                       1'000'000, absl::Seconds(5)});

}  // namespace tune
