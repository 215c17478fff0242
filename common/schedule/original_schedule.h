// The order of the program itself as a schedule.
#pragma once

#include "common/dependence/dependence.h"

namespace tune {

// The scop's own schedule over the instances of all ASSIGN statements. Loops directly inside one another are
// one permutable band where all dependences allow it, and members are coincident where these say so. Throws
// isl::exception.
isl::schedule OriginalSchedule(IslContext& context, const ParsedScop& scop, const Dependences& dependences);

}  // namespace tune
