// Statements that tiles of several loops can hold.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/scop/scop.h"

namespace tune {

// Where in ParsedScop::statements the one of this name, which is there, stands; nothing where it is no plain
// assignment, or data decide about elements that it accesses.
std::optional<size_t> FindPlainAssignment(const ParsedScop& scop, const std::string& name);

}  // namespace tune
