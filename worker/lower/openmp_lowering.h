// From a schedule tree to a block of C for the host, as data.
#pragma once

#include <map>
#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "common/scop/scop.h"

namespace tune {

// What runs the statements of `scop` in the order of `schedule` at the given parameter values, which are
// written into it. What stands below a ProductMark is a node Product without loops and instance: whether it
// is one is for a pass to find. `origins`: instances say of which iterations they are. To be called inside
// IslContext::Run; throws isl::exception.
OpenMpProgram LowerOpenMp(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                          const std::map<std::string, int64_t>& parameter_values, const HelperNames& names,
                          bool origins = false);

}  // namespace tune
