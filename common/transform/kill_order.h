// Where statements stand that end the life of elements.
#pragma once

#include "common/scop/scop.h"

namespace tune {

// `schedule`, of the ASSIGN statements alone, with those that end the life of elements behind all else: they
// have no place in a schedule, and a scop has one for them. Throws isl::exception.
isl::schedule WithKills(isl::schedule schedule, const ParsedScop& scop);

}  // namespace tune
