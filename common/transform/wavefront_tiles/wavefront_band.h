// Loops of a region none of which is parallel, in which dependences only go forward.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// A statement in such loops.
struct WavefrontStatement {
  size_t index = 0;       // in ParsedScop::statements
  isl::map place;         // { S[x] -> [h] }: the iteration of each loop, from 0; injective
  isl::multi_aff origin;  // { [h] -> S[x] }: the other way round
};

// Two or three loops, h, of a permutable band that no other loop is around and that is all of the region's
// order. No distance of a dependence is negative in any loop: instances for which the sum of h is the same
// need nothing of each other, nor do tiles for which the sum of their numbers is.
struct WavefrontBand {
  std::vector<WavefrontStatement> statements;  // in the order in which an iteration runs them
  std::vector<int64_t> extents;                // iterations of each loop
};

// Of `schedule`, at the `values` of the parameters (ParameterValues). Sets of the result have no parameters.
// Nothing where there are other loops, some loop is parallel, or data decide about elements. Throws
// isl::exception.
std::optional<WavefrontBand> FindWavefrontBand(const isl::schedule& schedule, const ParsedScop& scop,
                                               const isl::set& values);

}  // namespace tune
