// When a program for all sizes can run: what the host's code asks of a call's sizes, arrays and machine.
#pragma once

#include <string>

#include "worker/codegen/symbolic_program.h"

namespace tune {

// C++ statements that return false where the program is not for the call, in terms of its parameters and
// extents; `prefix`: of machine and memory. They call IsReady (symbolic_part.cc).
std::string ConditionsText(const SymbolicProgram& program, const std::string& prefix);

// The same for people, without what a machine must have.
std::string ConditionsOfProgram(const SymbolicProgram& program);

}  // namespace tune
