// The names that a scop uses.
#pragma once

#include <set>
#include <string>

#include "tune/v1/scop.pb.h"

namespace tune {

// C identifiers of its parameters, arrays and iterators.
std::set<std::string> NamesOf(const v1::Scop& scop);

}  // namespace tune
