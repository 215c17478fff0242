// Statements whose targets may not exist where their conditions on data do not hold.
#pragma once

#include <set>
#include <string>

#include "common/program/device_program.h"

namespace tune {

// Marks the instances of these statements as guarded. To be done before elements are kept in variables.
void MarkGuardedUpdates(const std::set<std::string>& statements, OpenMpProgram* program);

}  // namespace tune
