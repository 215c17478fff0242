// Parameters that a scop has one value of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// Of the parameters with these names, those in `known` have the value there, a decimal number, in the scop's
// context from then on, unless it allows no such value.
void FixParameters(const std::map<std::string, std::string>& known, const std::vector<std::string>& names,
                   v1::Scop* scop);

}  // namespace tune
