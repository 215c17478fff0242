// Each statement in loops of its own, where dependences allow it.
#pragma once

#include "common/dependence/dependence.h"

namespace tune {

// Maximal distribution of the region's outermost loops (Kennedy and Allen): the strongly connected components
// of the statements' dependences one after another, in the program's order where dependences leave a choice.
// Each has the loops around its statements as they are written, joined as in OriginalSchedule. Throws
// isl::exception.
isl::schedule DistributedSchedule(IslContext& context, const ParsedScop& scop,
                                  const Dependences& dependences);

}  // namespace tune
