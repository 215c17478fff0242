// Prints a program for a device as CUDA C and the sequence of its launches.
#pragma once

#include <cstdint>
#include <vector>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"
#include "worker/print/cuda_program.h"

namespace tune {

// Of each of the program's arrays: bytes that its address must be a multiple of, as several elements are
// copied or loaded at once.
std::vector<int64_t> AlignmentsOf(const DeviceProgram& program);

// Without transfers and values.
CudaProgram PrintCudaProgram(const DeviceProgram& program, const v1::Scop& scop, const HelperNames& names);

}  // namespace tune
