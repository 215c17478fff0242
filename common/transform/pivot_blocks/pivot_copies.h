// Copies of the pivots that a block of iterations reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/pivot_blocks/copied_values.h"

namespace tune {

struct CopiedPivots {
  v1::Scop scop;
  std::vector<CopiedValue> values;
  std::vector<PivotPiece> copies;  // the statement that copies each, as a piece of the loop
};

// References to pivots of the block that it writes itself (copied_values.h) are to copies: path[i][k] of all
// j outside of the block is copied in iteration k, before the first j that reads it, to path_pivots[k - first
// of the block][i], by a statement of its own.
//
// `scop`: of pieces (SplitStatements); `dependences`: of the scop before it had blocks; the arrays' extents,
// and subscripts beside the block's, are right for `values` only. nullopt: no copy is wanted, some could not
// be made, or they are larger than `most_bytes`. Throws isl::exception.
std::optional<CopiedPivots> CopyPivots(const ParsedScop& scop, const Dependences& dependences,
                                       const std::vector<PivotPiece>& pieces, int64_t size,
                                       const isl::set& values, int64_t most_bytes);

}  // namespace tune
