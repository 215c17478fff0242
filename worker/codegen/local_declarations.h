// Declarations of the arrays that live inside the region.
#pragma once

#include <map>
#include <string>

#include "common/scop/scop.h"

namespace tune {

// C declarations, one a line, of the arrays declared inside the region that some statement uses at the given
// parameter values. Every extent is one more than the largest index used, so the block needs nothing of the
// user's declarations; scalars start at zero, which no statement can see but compilers ask for. To be called
// inside IslContext::Run; throws isl::exception.
std::string PrintLocalDeclarations(IslContext& context, const ParsedScop& scop,
                                   const std::map<std::string, int64_t>& parameter_values);

}  // namespace tune
