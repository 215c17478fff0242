// May loops load and store several elements of rows at once, as they say?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when all that loops load or store several at once (KeptElement::width) are neighbours in rows that begin
// where their iterations begin pieces (Loop::phase, row_access.h), in arrays that are read plainly; and when
// what they collect (Loop::collected) are stores that can wait for so many iterations as are ahead
// (collected_stores.h). Else FAILED_PRECONDITION. Of wide loops see program_ahead_check.h.
absl::Status CheckRowPieces(const CheckedKernel& checked);

}  // namespace tune
