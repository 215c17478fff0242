// What kernels call that compute products by matrix instructions.
#pragma once

#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The functions that the program's kernels call, in CUDA C; empty where they call none.
std::string MatrixFunctions(const DeviceProgram& program, const v1::Scop& scop, const HelperNames& names);

}  // namespace tune
