// The translation unit that the runner loads: the region as one C function over raw memory.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// C text with
//   void tune_region(void **arrays);
// where arrays[i] is the memory of scop.arrays(i) (a scalar: one element), row-major with the
// reference's extents. Arrays declared inside the region are declared by the function itself; their entries
// are not read. `code` is GeneratedProgram::code.
absl::StatusOr<std::string> PrintRegionFunction(const v1::Scop& scop, const v1::Reference& reference,
                                                absl::string_view code);

// The same function alone, to be put behind the text of the user's file: `text` is the region's own, which
// may use the file's macros, types and constants, so that any name of the scop may stand in it, and loops may
// count variables that are declared before the region (here as int).
absl::StatusOr<std::string> PrintOriginalFunction(const v1::Scop& scop, const v1::Reference& reference,
                                                  absl::string_view text);

}  // namespace tune
