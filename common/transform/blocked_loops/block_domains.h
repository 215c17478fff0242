// Statements whose instances know in which block of a loop's iterations they run.
#pragma once

#include <cstdint>
#include <vector>

#include "common/scop/scop.h"
#include "common/transform/blocked_loops/serial_loops.h"

namespace tune {

// The scop with the number of its block, floor(t / size), as a first iterator of each instance of the loops'
// statements; order, arrays and all other statements stay. Throws isl::exception.
v1::Scop WithBlockIterators(const ParsedScop& scop, const std::vector<SerialLoop>& loops, int64_t size);

}  // namespace tune
