// Statements that run once, or in one iteration of a parallel loop, apart from deep loops.
#pragma once

#include "common/schedule/scheduler.h"

namespace tune {

// A statement with one instance that a scheduler has put into the loops of one that three loops or more are
// around, such as the copy of a scalar's last value out of an expanded array, is a condition in all of these,
// and in all of the code that is made of them: the product in PolyBench's symm takes 3.2 ms with it, and 1.0
// without (H100). So is one whose instances are all in one iteration of a coincident member, such as the copy
// of a row's last values. Where the order allows it, they come behind everything else. Errors: those of
// IslContext::Run.
absl::StatusOr<isl::schedule> SingleInstancesBehind(IslContext& context, isl::schedule schedule,
                                                    const ParsedScop& scop, const Dependences& dependences);

}  // namespace tune
