// Do kernels that one launch runs side by side leave each other's elements alone?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when the kernels of each joined launch are different ones at the same values of the host's loops, of
// which none touches an element that another one writes: neither its instances nor the fills of its tiles,
// which go beyond them. Otherwise FAILED_PRECONDITION with an example. Throws isl::exception.
absl::Status CheckJoinedLaunches(const DeviceProgram& program, const MappedProgram& mapped,
                                 const ParsedScop& scop, const isl::set& values, const HelperNames& names);

}  // namespace tune
