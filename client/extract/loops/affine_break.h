// Loops that a `break` ends, under conditions on iterators and parameters.
#pragma once

#include <optional>

#include "client/extract/loops/loop_domain.h"

namespace tune {

// Leaves the loop the iterations up to the first one that reaches a `break` of its body, and sets what its
// iterator is behind it (not Loop::trips). `at`: the body, with what is known at its start in each iteration.
// Refuses a `break` of which it does not know when it is reached.
std::optional<Refusal> EndAtBreaks(Region& region, const LoopNest& at, const LoopForm& form, Loop* loop);

}  // namespace tune
