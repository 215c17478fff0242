// What a kernel with symbols takes, and how names in its text are made.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"
#include "worker/cases/kernel_variant.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

inline constexpr char kCaseIndexType[] = "long long";

// Whether the array, or a scalar, is told as an address; else as a value.
bool IsMemory(const v1::Array& array);

// An argument of a kernel and what the host passes for it.
struct CaseArgument {
  std::string type, name;  // "const double *__restrict__ ", "A"
  std::string value;       // C++ of the host, in the names of CaseFile
};

// What the kernel takes, in order: arrays and scalars that it uses, their extents, the scop's parameters,
// host loops, first values of axes, s and K.
std::vector<CaseArgument> CaseArguments(const ParametricKernel& kernel, const ParametricRegion& region,
                                        const KernelVariant& variant);

// With which all names begin that generated text adds.
std::string HelperPrefix(const HelperNames& names);

}  // namespace tune
