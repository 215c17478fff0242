// Accesses of a region outside of its arrays, at the sizes that code is made for.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// "line 7: a[100] of 100 elements, where i = 100", of an access outside of an array of C, not behind a
// pointer, that no condition on data can prevent at the reference's sizes, or of a write that one may
// prevent: tuned code stores there what it finds. Empty where there is none. Errors: those of
// IslContext::Run.
absl::StatusOr<std::string> FindOutsideAccess(const v1::Scop& scop, const v1::Reference& reference);

// FAILED_PRECONDITION, with that line and what to do, where there is one. What isl cannot tell in its limits
// is taken for right.
absl::Status CheckInside(const v1::Scop& scop, const v1::Reference& reference);

}  // namespace tune
