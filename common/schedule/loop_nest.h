// Schedule trees under construction, from the outside inwards.
#pragma once

#include <string>
#include <vector>

#include "common/schedule/statement_group.h"

namespace tune {

// Loops that may be exchanged and tiled.
struct LoopBand {
  std::vector<ScheduleRow> rows;  // outermost first
  std::vector<bool> coincident;   // parallel to rows
};

// Bands one below the other, and below them either nothing, for a single statement, or nests.
struct LoopNest {
  std::vector<std::string> statements;
  std::vector<LoopBand> bands;
  std::vector<LoopNest> children;  // in the order in which they run
  bool ordered = true;             // the children; else none depends on another
};

// The nest of all statements as a tree over `domain`. Throws isl::exception.
isl::schedule BuildSchedule(const isl::union_set& domain, const LoopNest& nest);

}  // namespace tune
