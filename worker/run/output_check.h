// Comparison of an output array with the reference.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/runner.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct OutputTolerance {
  double float_relative = 1e-3;
  double double_relative = 1e-8;
};

// Both arrays have the elements of `extents` (row-major; a scalar: one).
//   relative_l2  ||found - expected|| / ||expected|| in the Euclidean norm; when ||expected|| is 0, over
//                sqrt(number of elements), as if the values were of magnitude 1.
//   exceeded     float and double: relative_l2 is above the tolerance; integers: any difference.
// NaN equals NaN, and an infinity equals itself; against anything else they make the error infinite.
// first_differing_index is that of the first element that is off by more than the tolerance times the root
// mean square of the expected array (integers: the first that differs).
v1::ArrayError CompareArray(absl::string_view name, v1::ElementType type, const std::vector<int64_t>& extents,
                            const void* expected, const void* found, const OutputTolerance& tolerance);

// "A[2][3] is 7, expected 8 (relative L2 error 0.0123 of array A)". Precondition: exceeded.
std::string DescribeError(const v1::ArrayError& error);

// Puts the errors in place of those that the verdict has. When it is CORRECT, the first that is exceeded
// makes it CORRECTNESS and is described in its message.
void JudgeOutputs(const std::vector<v1::ArrayError>& errors, v1::RunnerVerdict* verdict);

}  // namespace tune
