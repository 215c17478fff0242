// Loops over steps, each of which computes arrays from their neighbouring elements.
#pragma once

#include <cstdint>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// A statement of such a loop, and when and where its instances compute.
struct StencilStatement {
  size_t index = 0;  // in ParsedScop::statements
  int phase = 0;     // the parallel loops of one iteration follow each other in this order
  isl::map place;    // { S[x] -> [t, e] }: the time step, and the element that is written; injective
};

// A serial loop that no other is around. In each iteration parallel loops follow each other, whose statements
// all write arrays of one number of dimensions.
struct StencilLoop {
  std::vector<StencilStatement> statements;  // by phase
  int dimensions = 1;                        // of the arrays
  int64_t first = 0, last = 0;               // time steps
};

// Of `schedule`, at the `values` of the parameters (ParameterValues). Sets of the result have no parameters.
// Throws isl::exception.
std::vector<StencilLoop> FindStencilLoops(const isl::schedule& schedule, const ParsedScop& scop,
                                          const isl::set& values);

}  // namespace tune
