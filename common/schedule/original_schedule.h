// The order of the program itself as a schedule.
#pragma once

#include "common/dependence/dependence.h"

namespace tune {

// The scop's own schedule over the instances of all ASSIGN statements. Loops directly inside one another are
// one permutable band where all dependences allow it, and members are coincident where these say so. Throws
// isl::exception.
isl::schedule OriginalSchedule(IslContext& context, const ParsedScop& scop, const Dependences& dependences);

// The schedule with bands of one member directly inside one another joined to permutable ones where the
// dependences `order`, { S -> S }, allow it, and with members coincident where these say so. Throws
// isl::exception.
isl::schedule WithJoinedBands(const isl::schedule& schedule, const isl::union_map& order);

}  // namespace tune
