// Statements without loops stand before all loops that they do not wait for.
#pragma once

#include "common/schedule/scheduler.h"

namespace tune {

// A scheduler puts statements without loops, such as the coefficients of a filter, anywhere among the loops:
// each becomes a launch, and loops that need nothing of each other are apart. Those outside of loops that
// depend on none come first, in the order that they have, in a sequence of their own, which is one kernel.
// Errors: those of IslContext::Run.
absl::StatusOr<isl::schedule> SingleInstancesAhead(IslContext& context, const isl::schedule& schedule,
                                                   const Dependences& dependences);

}  // namespace tune
