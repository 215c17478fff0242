// Arrays of which each block of a launch of tiles uses a part of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

bool UsesArray(const DeviceKernel& kernel, int array);  // of DeviceProgram::arrays

// How many of the array's first subscripts are the tiles' loops, all of them, of the one merged launch that
// uses it, wherever a kernel touches it: a block then needs only the elements of its own tile. 0: it is no
// such array.
int64_t TileSubscripts(const DeviceProgram& program, const HelperNames& names, int array);

// The same, where numbers may stand for the loops' iterators. Adds to `in_kernels` what kernels call these.
int64_t TileSubscriptsOrNumbers(const DeviceProgram& program, const HelperNames& names, int array,
                                std::map<int, std::vector<std::string>>* in_kernels);

}  // namespace tune
