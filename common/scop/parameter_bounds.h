// What is taken to be true of parameters whose values nobody knows. Contexts that are not in isl's notation
// stay as they are: ParseScop reports what is wrong with them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tune/v1/scop.pb.h"

namespace tune {

// The scop where each of its first `count` parameters is large, as WithParameterFacts has it, but for those
// of which the context demands a value.
v1::Scop WithLargeParameters(const v1::Scop& scop, int count);

// The scop where each parameter is at most `most`.
v1::Scop WithParametersUpTo(const v1::Scop& scop, int64_t most);

// The scop where each of these parameters is a multiple of its number.
v1::Scop WithMultiples(const v1::Scop& scop, const std::map<std::string, int64_t>& numbers);

}  // namespace tune
