// Prints the launches of a program as C.
#pragma once

#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// CudaProgram::launches.
std::string PrintLaunchSequence(const DeviceProgram& program, const HelperNames& names);

// Pointer to what a kernel takes for the array, in a sequence's `arguments`.
std::string LaunchArgument(const DeviceArray& array);

// A sequence with that body, indented by two spaces a level, after `definitions`.
std::string LaunchSequenceText(const std::string& definitions, const std::string& body);

}  // namespace tune
