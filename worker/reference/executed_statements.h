// Whether a run has anything to measure.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// "n = 0, m = 5": the reference's parameters, where the region executes no statement at these values; empty
// where it does, and "its sizes" where it has no parameters. Errors: those of IslContext::Run.
absl::StatusOr<std::string> SizesWithoutStatements(const v1::Scop& scop, const v1::Reference& reference);

}  // namespace tune
