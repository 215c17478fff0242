// The decisions of levels O2 and O3 of the Coding Ants paper, from the whole region down to its innermost
// loops.
#pragma once

#include "common/decision/chooser.h"
#include "common/schedule/level_groups.h"
#include "common/schedule/loop_nest.h"

namespace tune {

// O1: options of isl's scheduler. O2: which components share loops; isl makes the loops. O3: these, too.
enum class ScheduleLevel { kO1, kO2, kO3 };

// Asks for one schedule of level O2 or O3. A group of statements inside the same loops is a place of the
// graph, "schedule[S0,S2-S4]@1": the statements and how many loops they share, whatever came before. At each:
// - O3: a row for each component that needs one (hyperplane_walk.h), before the parts, as in the paper: parts
//   that conform to rows exist always, rows that conform to parts do not.
// - The parts (partition_walk.h). Each gets its next loop, at O2 the first of isl's schedule of the part, and
//   is a group inside of it. One part: the group shares one more loop. Loops that are permutable become one
//   band.
// Pruned, as long as fewer than two parallel loops were chosen (section 5.2, "the outer two dimensions"):
// - Components with different levels of parallelism are not fused, nor are those that lose parallelism by it.
//   A component's level is the number of coincident members, two at most, of the outermost band of isl's
//   schedule of it alone.
// - Components fused in one parallel loop and all parallel once more share the next loop, too.
// - O3: rows along which dependences move, where there are others; where components must share a loop, rows
//   that they cannot share.
// Never pruned is what the default takes, of rows as long as no other answer was given: that is isl's
// schedule of the region, and where the walk left it isl's schedule of the group. Nothing is asked about the
// order inside the innermost loop. The paper leaves open at which levels O2 decides; here at each single
// loop, so that what shares outer loops can be parted in inner ones. Errors: the chooser's; those of isl's
// scheduler where a component has no schedule.
absl::StatusOr<LoopNest> WalkScheduleLevel(Chooser& chooser, LevelGroups& groups, ScheduleLevel level);

}  // namespace tune
