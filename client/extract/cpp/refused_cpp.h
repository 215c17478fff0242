// What of C++ a region cannot hold.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/extract/region/region_finder.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

// One refusal for each statement or expression of the region that has no words in C, in order; else for each
// variable that generated code could not call by its name. None for C.
std::vector<Refusal> FindRefusedCpp(const FoundRegion& region, const RegionVariables& variables);

// What is said of an object that a constructor of the program's own makes; nothing for other expressions.
std::optional<std::pair<std::string, std::string>> RefusedConstruction(const clang::Expr& value);

}  // namespace tune
