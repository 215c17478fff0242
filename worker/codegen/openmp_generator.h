// From a schedule tree to a block of OpenMP C in the user's own names.
#pragma once

#include <map>
#include <string>

#include "common/program/device_program.h"
#include "common/scop/scop.h"

namespace tune {

// What runs the statements of `scop` in the order of `schedule` at the given parameter values: elements that
// an innermost loop updates are in variables meanwhile, products with a ProductMark are computed in register
// tiles. INTERNAL or RESOURCE_EXHAUSTED from isl.
absl::StatusOr<OpenMpProgram> MakeOpenMpProgram(IslContext& context, const isl::schedule& schedule,
                                                const ParsedScop& scop,
                                                const std::map<std::string, int64_t>& parameter_values);

// The same as text (worker/print/openmp_printer.h).
absl::StatusOr<std::string> PrintOpenMpBlock(IslContext& context, const isl::schedule& schedule,
                                             const ParsedScop& scop,
                                             const std::map<std::string, int64_t>& parameter_values);

}  // namespace tune
