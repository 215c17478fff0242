// Which part of an array a region needs on the device before it, and leaves there to be fetched.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/program/device_array.h"

namespace tune {

// Parallel to `arrays`, which are the scop's; nothing for local arrays and for what is passed by value.
//
// `out` is the box of the elements that the region writes; of an array of members of one type (Array.object)
// a box for each run of these in a structure, as others of the same memory have what is between. `in` has the
// elements whose values from before the region are read, and those of `out` that may not be written: it is
// their box, or all between the first and the last of them where that is not much more (one copy is then
// faster than many). No byte before the first or after the last element that the region accesses is touched:
// the array may be a part of something larger. Errors: those of IslContext::Run.
absl::StatusOr<std::vector<ArrayTransfer>> FindTransfers(
    IslContext& context, const ParsedScop& scop, const Dependences& dependences,
    const std::map<std::string, int64_t>& parameter_values, const std::vector<DeviceArray>& arrays);

}  // namespace tune
