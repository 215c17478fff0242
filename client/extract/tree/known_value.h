// Values of variables that the file tells, though C lets them change.
#pragma once

#include <map>
#include <string>

#include "client/extract/region/region.h"

namespace tune {

// Asks for the parameters in `value`, [params, iterators] -> { [v] }, to be taken for constants
// (Region::found_values). Each is an integer that all assignments to it in the file, its initialiser and, of
// a function's parameter, all calls set to one constant; what other files set it to the context excludes. The
// first parameter that is none, else null; also where iterators are in the value.
const clang::VarDecl* AskForValues(Region& region, const LoopNest& nest, const isl::pw_aff& value);

// All parameters of which the same is known, by name, as decimal numbers.
std::map<std::string, std::string> KnownParameters(const Region& region);

}  // namespace tune
