// Statements of parallel loops in the loops of what makes the values that they read.
#pragma once

#include <optional>

#include "common/schedule/scheduler.h"

namespace tune {

// A scheduler that is to find as many parallel loops as there are leaves a statement whose loops are all
// parallel, such as the sum of what two recurrences made, apart from loops that are in part serial. Then what
// these write goes through memory. Of the outermost sequence a part whose loops are all parallel joins those
// of an earlier part, serial and parallel ones, that has as many, if nobody else needs values that it reads:
// behind all of its statements, in the iterations in which these values are made, where that violates no
// dependence and leaves the loops permutable and as parallel as they are. What stands between the two comes
// before or after both. Where others need the values, they are stored anyway, and loops with fewer threads
// are no gain (H200, a recursive filter along 7680 rows of 4320 floats and the sum with another one's values,
// 235 us apart, 236 together, 147 without the store). Nothing where no part can
// join another. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<isl::schedule>> JoinConsumers(IslContext& context, const isl::schedule& schedule,
                                                           const ParsedScop& scop,
                                                           const Dependences& dependences);

}  // namespace tune
