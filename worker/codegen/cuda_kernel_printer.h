// Prints one kernel as CUDA C.
#pragma once

#include <map>
#include <set>
#include <string>

#include "worker/codegen/kernel_signature.h"

namespace tune {

struct CudaKernelText {
  std::string text;
  std::set<std::string> macros;  // of the helper names, that must be defined before it
};

// Sets signature->integer_type. To be called inside IslContext::Run; throws isl::exception.
CudaKernelText PrintCudaKernel(IslContext& context, const MappedKernel& kernel, const ParsedScop& scop,
                               const std::map<std::string, int64_t>& parameter_values,
                               const HelperNames& names, KernelSignature* signature);

}  // namespace tune
