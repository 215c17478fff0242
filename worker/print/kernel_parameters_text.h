// The parameters of one kernel as text: what it declares and its launches pass, in one order.
#pragma once

#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "worker/print/c_text.h"

namespace tune {

// "const double (*__restrict__ A)[100]", "double *__restrict__ x", "double alpha": how a kernel declares it.
// The elements alone of an array whose extents have names.
// `writes`: the kernel writes it. `restricted`: with `__restrict__`; each array has memory of its own, so it
// holds, but it lets the compiler read through caches that see no other thread's writes.
std::string DeviceParameter(const DeviceArray& array, bool writes, bool restricted);

// "A[i][j]"; "A[i * n + j]" of an array that is declared as its elements alone, since its extents have names.
CText ElementOf(const DeviceArray& array, const std::vector<CText>& subscripts);

// "double (*__restrict__ C)[100], const double alpha, const int tune_h0"
std::string PrintParameters(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                            const HelperNames& names);

}  // namespace tune
