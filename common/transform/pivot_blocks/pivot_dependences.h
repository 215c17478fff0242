// Dependences of a scop whose pivots are copied.
#pragma once

#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/pivot_blocks/pivot_copies.h"

namespace tune {

// Of `copied_scop`, that of CopyPivots of `pieces`, what its schedule must respect: flow and false
// dependences. Flow is that of the instances before they had blocks, `before`, and through the copies, which
// takes isl a fraction of the time that finding it anew does. `scop`: of pieces, without copies. Errors:
// those of IslContext::Run.
absl::StatusOr<Dependences> PivotDependences(IslContext& context, const ParsedScop& scop,
                                             const std::vector<PivotPiece>& pieces,
                                             const ParsedScop& copied_scop, const CopiedPivots& copied,
                                             const Dependences& before);

}  // namespace tune
