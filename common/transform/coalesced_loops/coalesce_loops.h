// Loop coalescing (Polychronopoulos, Loop Coalescing: A Compiler Transformation for Parallel Machines, 1987)
// of the loops around products:
//
//   for r < R, q < Q                               for t < R Q
//     for p, s                               ->      for p, s
//       C[r][q][p] += A[r][q][s] * B[s][p]             C[t][p] += A[t][s] * B[s][p]
//
// Rows of all matrices of a batch are those of one, so that tiles of rows are full but for the last, and the
// arrays have one dimension in place of two: their elements stay where they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/scop/scop.h"

namespace tune {

// A scop of the same elements in the same order in which one loop stands for a region's outermost two,
// wherever these are around a product, tiles of rows are fuller then, and no access tells the two iterators
// apart; with all other loops that are about the same arrays. Extents of these arrays are numbers. nullopt:
// there are none. `values`: of the parameters. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> CoalesceLoops(IslContext& context, const ParsedScop& scop,
                                                      const std::map<std::string, int64_t>& values);

}  // namespace tune
