// Prints a schedule tree as a block of OpenMP C in the user's own names.
#pragma once

#include <map>
#include <string>

#include "common/scop/scop.h"

namespace tune {

// A C block, braces included, that runs the statements of `scop` in the order of `schedule` at the given
// parameter values, which are written into it. Arrays and scalars go by their own names; those declared
// inside the region are declared by the block, as large as its accesses need. Elements that an innermost loop
// updates are in variables meanwhile (register_sums.h). Products with a ProductMark are computed in register
// tiles of packed terms where the compiler knows vectors (product_printer.h). Loops with a LoopMark get their
// pragmas, in forms that gcc and clang take without a warning, with and without -fopenmp. INTERNAL or
// RESOURCE_EXHAUSTED from isl.
absl::StatusOr<std::string> PrintOpenMpBlock(IslContext& context, const isl::schedule& schedule,
                                             const ParsedScop& scop,
                                             const std::map<std::string, int64_t>& parameter_values);

}  // namespace tune
