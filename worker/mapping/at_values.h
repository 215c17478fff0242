// Scops and schedule trees at known values of the parameters, without parameters: what isl does with them
// takes less time, and each candidate's text has the values in place of the parameters anyway.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "common/scop/scop.h"
#include "common/space/cuda_space.h"

namespace tune {

using ParameterValueOf = std::map<std::string, int64_t>;

// { S } with those values in place of the parameters that have one; other parameters stay. Throws
// isl::exception, as all functions here.
isl::set AtValues(const isl::set& set, const ParameterValueOf& values);

// { S -> A }, the same.
isl::map AtValues(const isl::map& map, const ParameterValueOf& values);

// { S -> [v] }, the same.
isl::pw_aff AtValues(const isl::pw_aff& function, const ParameterValueOf& values);

// The tree with its domain, filters and bands changed in this way; marks and the bands' flags stay. Knows
// the nodes that ScheduledScop has.
isl::schedule AtValues(const isl::schedule& schedule, const ParameterValueOf& values);

// What code is made of: the context and the statements' domains, relations and affine expressions, with the
// parameters that have no value alone; where some are left, domains are restricted to the context. The unions
// over all statements and the original order are empty.
std::shared_ptr<const ParsedScop> StatementsAtValues(const ParsedScop& scop, const ParameterValueOf& values);

// The plan with its tree at the values of its space's parameters; its `schedules` stay as they are.
CudaPlan AtValues(const CudaPlan& plan);

}  // namespace tune
