// Arrays of a block of which each thread uses elements of its own.
#pragma once

#include <set>
#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// How many of the array's last subscripts are the thread's coordinates, along all axes that the block has
// threads on, wherever a kernel touches it: no two threads of a block touch the same element.
// `tile_subscripts` of its first ones are tiles' loops (tile_subscripts.h), and those between, at least one,
// are numbers once loops with fixed bounds are unrolled. Each kernel that touches it runs once in a block,
// with all threads of the launch. 0: it is no such array.
int64_t ThreadSubscripts(const DeviceProgram& program, const HelperNames& names, int array,
                         int64_t tile_subscripts);

// Adds the names in the access's subscripts between so many first and so many last ones.
void CollectNamesBetween(const ElementAccess& access, int64_t first, int64_t last,
                         std::set<std::string>* names);

}  // namespace tune
