// Inputs for a program without main.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"
#include "worker/reference/reference_data.h"

namespace tune {

// Values of one array, from `seed` and the array's place in the scop alone. Floating point: uniform in [0.1,
// 1), and where a square matrix has its diagonal, the extent is added, so that factorisations, divisions and
// roots stay in range; scalars in [0.5, 1.5). Integers: 0 to 7 (char types included), scalars 1 to 4.
std::string SeededValues(v1::ElementType type, const std::vector<int64_t>& extents, uint64_t seed,
                         uint64_t stream);

// Parameter values and array extents of a program without main: from setup.program.parameter_values and the
// extents' C expressions, which the compiler evaluates in the user's file. Sets data->reference's
// parameters and arrays. INVALID_ARGUMENT names what has no value and the option that gives it.
absl::Status EvaluateExtents(const v1::StudySetup& setup, const ReferenceTools& tools, ReferenceData* data,
                             std::string* log);

// Makes the inputs and runs the region on them, as the user wrote it, or as extracted where that does not
// compile outside of its function: in/, out/ and the sequential time. INVALID_ARGUMENT where inputs say which
// elements are accessed.
absl::Status RunSeededRegion(const v1::StudySetup& setup, const ReferenceTools& tools, ReferenceData* data,
                             std::string* log);

}  // namespace tune
