// Finds what becomes of the values that statements write.
#pragma once

#include "common/dependence/dependence.h"
#include "common/program/value_uses.h"

namespace tune {

// Of all statements that assign. `dependences`: those of the scop. Errors: those of IslContext::Run.
absl::StatusOr<ValueUses> FindValueUses(IslContext& context, const ParsedScop& scop,
                                        const Dependences& dependences);

}  // namespace tune
