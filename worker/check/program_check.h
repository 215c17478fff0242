// Exact checks of a device program against the mapping that it was made of.
#pragma once

#include <map>
#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "common/scop/scop.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// OK when the program does what `mapped` says, which CheckMapping proves to be right: the same instances and
// copies in an order that counts for the same (program_instances_check.h, program_order_check.h), elements
// and tiles (program_access_check.h), loads ahead of their time (program_ahead_check.h), fills
// (program_fill_check.h), with barriers and copies of tiles that keep threads apart
// (program_barrier_check.h), blocks and threads (program_coordinates_check.h), launches
// (program_host_check.h, joined_launch_check.h); and arrays that are not read through caches which miss what
// a launch writes. Otherwise FAILED_PRECONDITION with kernel and example. RESOURCE_EXHAUSTED, when the
// context's limits do not allow an answer, says nothing about the program. Nodes must know their origins.
absl::Status CheckProgram(IslContext& context, const DeviceProgram& program, const MappedProgram& mapped,
                          const ParsedScop& scop, const std::map<std::string, int64_t>& parameter_values,
                          const HelperNames& names);

}  // namespace tune
