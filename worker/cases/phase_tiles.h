// Which arrays the threads of a block had better read through shared memory.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "worker/cases/access_form.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// Where the loops of a phase stand among the members of the bands above its statements.
struct PhaseLoops {
  std::vector<int> axes;  // positions in T
  int host_depth = 0;     // T begins with the host loops
  int strip = -1;         // -1: there is no loop to be cut into strips
};

// Arrays that the whole kernel only reads, of which all references in the phase lie in one tile, and whose
// elements are used by several threads, or read by neighbours along another dimension than the last. With
// `strips` those of a strip; else those whose subscripts no loop of a thread is in. `references`: all of the
// phase; a missing form is of an array that cannot be cached. Throws isl::exception.
std::vector<CachedArray> FindCachedArrays(
    const std::vector<std::pair<std::string, std::optional<AccessForm>>>& references,
    const std::set<std::string>& written, const PhaseLoops& loops, const CaseNames& names, bool strips);

}  // namespace tune
