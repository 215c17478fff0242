// Inputs that say which elements are accessed.
#pragma once

#include <set>
#include <string>

#include "tune/v1/scop.pb.h"

namespace tune {

// Arrays whose values decide, themselves or by what is computed from them, which elements the region
// accesses, or whether it accesses such an element: with other values it might leave its arrays.
std::set<std::string> ArraysThatIndex(const v1::Scop& scop);

}  // namespace tune
