// Computes schedules with isl under the options of level O1 of the Coding Ants paper (section 5.1.1).
#pragma once

#include <string>

#include "common/dependence/dependence.h"

namespace tune {

struct ScheduleOptions {
  enum class Algorithm { kPluto, kFeautrier };
  Algorithm algorithm = Algorithm::kPluto;
  bool serialize_sccs = false;      // one loop nest per strongly connected component
  bool maximize_band_depth = true;  // meaningful only when not serialized
  // While fusing, loops count as parallel in which only updates of one element, which commute, depend on each
  // other (Doerfert et al., "Polly's polyhedral scheduling in the presence of reductions", IMPACT 2015): what
  // makes the terms of a sum may then share the sum's loops.
  bool parallel_reductions = false;
  // Outer loops are to be parallel, and as many as possible; else only to be exchanged and tiled, with
  // dependences short.
  bool parallel_loops = true;
  bool operator==(const ScheduleOptions&) const = default;
};

// The instances of all ASSIGN statements. Throws isl::exception.
isl::union_set AssignedInstances(IslContext& context, const ParsedScop& scop);

// A schedule tree whose bands carry permutable and coincident flags that hold for all dependences, over the
// instances of all ASSIGN statements (a KILL does nothing, so it has no place in the order).
// Errors: INTERNAL when isl finds none, RESOURCE_EXHAUSTED at a limit.
absl::StatusOr<isl::schedule> ComputeSchedule(IslContext& context, const ParsedScop& scop,
                                              const Dependences& dependences, const ScheduleOptions& options);

}  // namespace tune
