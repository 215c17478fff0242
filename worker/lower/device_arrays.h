// The scop's arrays as a device holds them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/program/device_array.h"
#include "common/program/helper_names.h"
#include "common/scop/scop.h"
#include "tune/v1/evaluation.pb.h"

namespace tune {

// One an array of the scop, in its order. Extents are the reference's, which a form of the scop may have with
// two dimensions as one; of local arrays one more than the largest index used. INVALID_ARGUMENT when the
// reference lacks one; errors of IslContext::Run.
absl::StatusOr<std::vector<DeviceArray>> DeviceArrays(IslContext& context, const ParsedScop& scop,
                                                      const v1::Reference& reference);

// The same for all sizes: extents have names (ExtentName). `row_divisors`: by array, of the last extents;
// those of all other extents say nothing.
std::vector<DeviceArray> NamedDeviceArrays(const ParsedScop& scop, const HelperNames& names,
                                           const std::map<std::string, int64_t>& row_divisors = {});

}  // namespace tune
