// Two loops with nothing between them.
#pragma once

#include <vector>

#include "common/scop/scop.h"

namespace tune {

// A region's outermost loop and the one directly inside of it, each of which counts from 0 and has the same
// iterations for all values of the other's iterator and of those inside.
struct LoopPair {
  std::vector<const ParsedStatement*> statements;  // all inside, whose first two iterators are the loops'
  int64_t outer = 0, inner = 0;                    // iterations
};

// Those of the scop's own order, at the parameters' `values`. Throws isl::exception.
std::vector<LoopPair> FindLoopPairs(const ParsedScop& scop, const isl::set& values);

}  // namespace tune
