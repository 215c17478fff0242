// Applies the decisions of a CpuPlan to its schedule tree.
#pragma once

#include <map>
#include <string>

#include "common/space/cpu_space.h"

namespace tune {

// The plan's tree with every kernel's bands tiled, permuted and marked (loop_mark.h): each band becomes a
// chain of bands of one member. Tile loops step through multiples of the tile size and point loops keep the
// member's own values, so that subscripts stay those of the untiled program. A product in register tiles gets
// a mark (product_mark.h) above its three plain loops, the sum's outermost; the printer tiles it. The result
// respects every dependence that the plan's tree respects. `context` is the one of the plan's tree. INTERNAL
// when plan and tree do not fit.
absl::StatusOr<isl::schedule> MapCpuPlan(IslContext& context, const CpuPlan& plan,
                                         const std::map<std::string, int64_t>& parameter_values);

}  // namespace tune
