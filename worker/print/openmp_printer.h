// Prints a program for the host as a block of OpenMP C in the user's own names.
#pragma once

#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// A C block, braces included. Loops have pragmas in forms that gcc and clang take without a warning, with and
// without -fopenmp.
std::string PrintOpenMp(const OpenMpProgram& program, const v1::Scop& scop, const HelperNames& names);

}  // namespace tune
