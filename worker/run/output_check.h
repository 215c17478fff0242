// Comparison of an output array with the reference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/runner.pb.h"
#include "tune/v1/scop.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

struct OutputTolerance {
  double float_relative = 1e-3;
  double double_relative = 1e-8;
};

OutputTolerance ToleranceFrom(const v1::Tolerance& tolerance);

// How one array is compared.
struct OutputRule {
  v1::CheckMethod method = v1::CHECK_RELATIVE_NORM;
  // The most that is accepted; unset: of CHECK_RELATIVE_NORM that of OutputTolerance, of others 1e-4.
  std::optional<double> threshold;
  bool half = false;  // elements are numbers of binary16, of ELEMENT_TYPE_UNSIGNED_SHORT
  // Last subscripts of elements that are no numbers of the type: they do not count, and have to be the same.
  std::vector<v1::Places> others = {};
};
OutputRule RuleOf(const v1::RunnerArray& array);

// Smaller differences are not related to what is expected.
inline constexpr double kLeastRelatedDifference = 1e-4;

// Of CHECK_RELATIVE_NORM, for elements of the type, complex ones as their parts; 0 for integers. _Float16 has
// that of float, of at least two units in its last place: updates of such elements keep their order, so that
// no more than the type of values between operations differs. Ten times that of float for a kernel's
// binary16.
double ToleranceOf(v1::ElementType type, const OutputTolerance& tolerance, const OutputRule& rule);
// Of another method.
double ThresholdOf(const OutputRule& rule);

// Both arrays have the elements of `extents` (row-major; a scalar: one).
//   relative_l2  ||found - expected|| / ||expected|| in the Euclidean norm; when ||expected|| is 0, over
//                sqrt(number of elements), as if the values were of magnitude 1.
//   exceeded     floating types: relative_l2 is above the tolerance; integers: any difference.
// What OutputRule::others has does not count; where it differs the error is infinite.
// NaN equals NaN, and an infinity equals itself; against anything else they make the error infinite.
// first_differing_index is that of the first element that is off by more than the tolerance times the root
// mean square of the expected array (integers: the first that differs).
//
// With another method than CHECK_RELATIVE_NORM `exceeded` is what it says of the differences of elements,
// |found - expected|: that their sum (CHECK_SUM_OF_DIFFERENCES), the largest one (CHECK_EACH_DIFFERENCE), or
// the largest of those above 1e-4 over |expected| (CHECK_EACH_RELATIVE), is above the threshold.
v1::ArrayError CompareArray(absl::string_view name, v1::ElementType type, const std::vector<int64_t>& extents,
                            const void* expected, const void* found, const OutputTolerance& tolerance,
                            const OutputRule& rule = {});

// "A[2][3] is 7, expected 8 (relative L2 error 0.0123 of array A)". Precondition: exceeded.
std::string DescribeError(const v1::ArrayError& error);

// Puts the errors in place of those that the verdict has. When it is CORRECT, the first that is exceeded
// makes it CORRECTNESS and is described in its message.
void JudgeOutputs(const std::vector<v1::ArrayError>& errors, v1::RunnerVerdict* verdict);

}  // namespace tune
