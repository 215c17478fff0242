// Why a variable has no place in an affine expression.
#pragma once

#include <string>

#include "client/extract/region/region_variables.h"

namespace tune {

// A clause about an integer that is none of a region's parameters, and of which nothing is known where it
// stands; also about the integer that says how far a pointer has moved (pointer_walk.h).
std::string WhyNoIndex(const RegionVariables& variables, const clang::VarDecl& variable);

}  // namespace tune
