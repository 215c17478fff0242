// Which of a cubin's functions a kernel is.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// The function's name without what C++ writes around it: "blur::rows" of "_ZN4blur4rowsILi32EfEEvPKT0_PS1_i",
// a name that is not mangled as it is.
std::string PlainFunctionName(const std::string& mangled);

// The names in `cubin` of kernels that the source calls so, templates with their arguments: "blur::rows<32,
// float>". INVALID_ARGUMENT where there is none, or more than one: then NVRTC can tell them apart.
absl::StatusOr<std::vector<std::string>> FindKernels(absl::string_view cubin,
                                                     const std::vector<std::string>& kernels);

}  // namespace tune
