// Arguments of hand-written kernels as arrays that runners know.
#pragma once

#include "tune/v1/kernel.pb.h"
#include "worker/reference/reference_data.h"

namespace tune {

// One for each argument that is an array, in their order; vectors and structs have a further extent, of their
// numbers and bytes; numbers of binary16 are words of 16 bits. INVALID_ARGUMENT, which names the argument,
// where it is one of kernels in C, and no C function can take it.
absl::StatusOr<StudyArrays> KernelArrays(const v1::KernelDefinition& definition);

// Names and extents of the arrays, and the problem's sizes as parameters. Errors as KernelArrays.
absl::Status DescribeArrays(const v1::KernelDefinition& definition, const StudyArrays& arrays,
                            v1::Reference* reference);

// How outputs are compared, as the definition says it; those that are not to be looked at have no expected
// files any more.
void ApplyOutputChecks(const v1::KernelDefinition& definition, std::vector<v1::RunnerArray>* arrays);

}  // namespace tune
