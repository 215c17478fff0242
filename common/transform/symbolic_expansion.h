// Expansion where nobody knows the values of the parameters.
#pragma once

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The scop where scalars, and arrays that are declared inside, have copies for iterations of loops, whatever
// the values of the parameters: along all loops, or else all parallel ones, where these are no larger than
// the program's own arrays; else along those that are parallel as a whole (CopiesAlong). Temporaries whose
// copies no function of the parameters counts stay as they are. Each extent of an array that is declared
// inside has `accessed` then, but for those where that is no such function either. Errors: those of
// ParseScop, of ComputeDependences and of IslContext::Run.
absl::StatusOr<v1::Scop> ExpandForAllSizes(const v1::Scop& scop);

}  // namespace tune
