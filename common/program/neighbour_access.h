// Elements that consecutive iterations of a loop access, as what one load can read.
#pragma once

#include <optional>
#include <string>

#include "common/program/device_array.h"
#include "common/program/program_node.h"

namespace tune {

constexpr int64_t kMostBytesOfLoad = 16;  // of a thread: CUDA C++ Programming Guide, "Device Memory Accesses"

// Of iterations 0 ... `iterations` - 1, powers of two, so many elements of a type are loaded at once.
int64_t ElementsOfLoad(v1::ElementType type, int64_t iterations);

// `subscript` without `factor` times the name, where that is added to the rest, which the name is no part of;
// none: it is not.
std::optional<IndexExpression> WithoutTerm(const IndexExpression& subscript, const std::string& name,
                                           int64_t factor = 1);

// Whether the access is to neighbours in a row in the iterations 0 ... `iterations` - 1 of `iterator`, and
// each load's elements begin at a multiple of their number from the beginning of the array.
bool AreNeighbours(const ElementAccess& access, const DeviceArray& array, const std::string& iterator,
                   int64_t iterations);

// The access in that iteration.
ElementAccess AccessAt(const ElementAccess& access, const std::string& iterator, int64_t iteration);

}  // namespace tune
