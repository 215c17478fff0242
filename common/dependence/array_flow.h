// Flow between accesses, an array at a time.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// Accesses { I -> A } of the same instances: of statements, { S }, or of their references, { [S -> R] }.
struct FlowAccesses {
  isl::union_map sinks;
  isl::union_map must;  // hide from the sinks what lies before them
  isl::union_map may;   // do not
};

// As isl::union_flow has them.
struct ArrayFlow {
  isl::union_map dependences;       // { I -> I }: may_dependence
  isl::union_map full_dependences;  // { I -> [I -> A] }: full_may_dependence
  isl::union_map no_source;         // { I -> A }: may_no_source
};

// What isl::union_access_info computes, in less time: no access depends on one of another array, or of
// another constant subscript, and isl looks at all accesses for each statement. `schedule` is of the
// statements, and may order more instances than there are (universal_schedule.h): all of their references
// are `everywhere` then. Throws isl::exception.
ArrayFlow ComputeArrayFlow(const isl::schedule& schedule, const FlowAccesses& accesses,
                           bool everywhere = false);

}  // namespace tune
