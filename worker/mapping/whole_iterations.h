// Loops whose iterations own variables are generated as one loop, or do without.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// isl's AST generator makes two loops of one where some statements have no instance before the others' last,
// and the last iteration is then in both. Variables that are private to an iteration (LoopMark::local, last)
// do not outlive the first of them. Loops with such variables are kept atomic; where isl would take them
// apart all the same, since their statements are in several components of the order at this depth, the loop
// is neither parallel nor vectorised any more. Throws isl::exception.
isl::schedule KeepIterationsWhole(const isl::schedule& mapped);

}  // namespace tune
