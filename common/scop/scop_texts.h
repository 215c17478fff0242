// All texts of a scop that isl reads.
#pragma once

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Whether each is in the notation of its kind (isl_grammar.h, schedule_grammar.h), and there are no more
// parameters, arrays, statements and accesses than a region written by people has. Costs about as much as to
// copy them. INVALID_ARGUMENT names the field. Whoever gives a scop's text to isl asks this first.
absl::Status CheckScopTexts(const v1::Scop& scop);

}  // namespace tune
