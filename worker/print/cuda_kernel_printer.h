// Prints one kernel as CUDA C.
#pragma once

#include <set>
#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct CudaKernelText {
  std::string text;
  std::set<std::string> macros;  // of the helper names, that must be defined before it
};

CudaKernelText PrintCudaKernel(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                               const v1::Scop& scop, const HelperNames& names);

}  // namespace tune
