// How many registers a thread of a kernel needs, before it is compiled.
#pragma once

#include "tune/v1/scop.pb.h"
#include "worker/cases/kernel_variant.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// Of 32 bits. The largest number of values that are alive at once: iterators around a statement, addresses
// that are computed for its references, and what its expression needs when its deeper operands come first
// (Sethi and Ullman, 1970); arguments of the kernel are in constant memory. A count of the program as it is
// before the compiler, whose own optimisations may need fewer or more.
int EstimateRegisters(const ParametricKernel& kernel, const v1::Scop& scop, const KernelVariant& variant);

}  // namespace tune
