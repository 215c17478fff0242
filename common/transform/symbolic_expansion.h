// Expansion where nobody knows the values of the parameters.
#pragma once

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The scop where scalars, and arrays that are declared inside, have copies for each iteration of loops that
// are parallel then (CopiesAlong::kParallelNests), whatever the values of the parameters: each extent of the
// new arrays has `accessed`, in terms of these. Temporaries whose copies have no such number stay as they
// are. Errors: those of ParseScop, of ComputeDependences and of IslContext::Run.
absl::StatusOr<v1::Scop> ExpandForAllSizes(const v1::Scop& scop);

}  // namespace tune
