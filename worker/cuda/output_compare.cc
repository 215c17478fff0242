#include "worker/cuda/output_compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "common/array/element_type.h"

namespace tune {
namespace {

constexpr int kBlocks = 1024;
// Below this a sum of squares may have lost terms to underflow.
constexpr double kSmallestSum = 1e-200;

std::vector<int64_t> Extents(const v1::RunnerArray& array) {
  return {array.extents().begin(), array.extents().end()};
}

// Of the norms; nullopt where the sums do not tell.
std::optional<double> RelativeNorm(const OutputSums& sums) {
  if (!std::isfinite(sums.difference_square) || !std::isfinite(sums.expected_square)) return std::nullopt;
  if (sums.expected_square < kSmallestSum || sums.difference_square < kSmallestSum) return std::nullopt;
  return std::sqrt(sums.difference_square) / std::sqrt(sums.expected_square);
}

// What the method measures.
double Measured(v1::CheckMethod method, const OutputSums& sums) {
  if (method == v1::CHECK_SUM_OF_DIFFERENCES) return sums.difference_sum;
  return method == v1::CHECK_EACH_RELATIVE ? sums.largest_relative : sums.largest;
}

// The definitions of worker/run/output_check.h, from sums. Nullopt: the sums do not tell, or there is an
// error to be found.
std::optional<v1::ArrayError> FromSums(const v1::RunnerArray& array, const OutputSums& sums,
                                       const OutputTolerance& tolerance) {
  const OutputRule rule = RuleOf(array);
  const bool by_norm = rule.method == v1::CHECK_RELATIVE_NORM;
  v1::ArrayError error;
  error.set_array(array.name());
  if (!by_norm) error.set_method(rule.method);
  if (!by_norm) error.set_threshold(ThresholdOf(rule));
  if (sums.largest == 0) return error;
  const std::optional<double> relative = RelativeNorm(sums);
  if (!relative.has_value()) return std::nullopt;
  error.set_largest(sums.largest);
  error.set_relative_l2(*relative);
  if (by_norm) {
    if (!(*relative <= ToleranceOf(array.element_type(), tolerance, rule))) return std::nullopt;
    return error;
  }
  error.set_measured(Measured(rule.method, sums));
  if (!(error.measured() <= error.threshold())) return std::nullopt;
  return error;
}

}  // namespace

absl::StatusOr<OutputCompare> OutputCompare::Make(const DeviceSession& session,
                                                  const UtilityKernels* kernels) {
  OutputCompare compare(session, kernels);
  if (kernels != nullptr) {
    TUNE_ASSIGN_OR_RETURN(
        compare.partial_,
        DeviceMemory::Make(session, kBlocks * UtilityKernels::kCompareSums * sizeof(double)));
  }
  return compare;
}

absl::StatusOr<OutputSums> OutputCompare::SumUp(v1::ElementType type, CUdeviceptr expected, CUdeviceptr found,
                                                int64_t count) {
  if (IsComplex(type)) count *= 2;  // real and imaginary parts
  const int64_t wanted = (count + UtilityKernels::kCompareThreads - 1) / UtilityKernels::kCompareThreads;
  const int blocks = static_cast<int>(std::clamp<int64_t>(wanted, 1, kBlocks));
  TUNE_RETURN_IF_ERROR(
      kernels_->Compare(ComponentType(type), expected, found, count, partial_->address(), blocks));
  std::vector<double> partial(kBlocks * UtilityKernels::kCompareSums);
  TUNE_RETURN_IF_ERROR(partial_->CopyToHost(partial.data()));
  OutputSums sums;
  for (int block = 0; block < blocks; ++block) {
    const double* of_block = &partial[block * UtilityKernels::kCompareSums];
    sums.difference_square += of_block[0];
    sums.expected_square += of_block[1];
    sums.difference_sum += of_block[2];
    sums.largest = std::max(sums.largest, of_block[3]);
    sums.largest_relative = std::max(sums.largest_relative, of_block[4]);
  }
  return sums;
}

absl::StatusOr<v1::ArrayError> OutputCompare::Compare(const v1::RunnerArray& array,
                                                      const DeviceMemory& expected, const DeviceMemory& found,
                                                      const OutputTolerance& tolerance) {
  const v1::ElementType type = array.element_type();
  const int64_t count = static_cast<int64_t>(expected.size() / ElementSize(type));
  if (kernels_ != nullptr && count > 0 && array.others().empty()) {
    TUNE_ASSIGN_OR_RETURN(const OutputSums sums, SumUp(array.half() ? v1::ELEMENT_TYPE_FLOAT16 : type,
                                                       expected.address(), found.address(), count));
    const std::optional<v1::ArrayError> error = FromSums(array, sums, tolerance);
    if (error.has_value()) return *error;
  }
  std::vector<char> expected_bytes(expected.size()), found_bytes(found.size());
  TUNE_RETURN_IF_ERROR(expected.CopyToHost(expected_bytes.data()));
  TUNE_RETURN_IF_ERROR(found.CopyToHost(found_bytes.data()));
  return CompareArray(array.name(), type, Extents(array), expected_bytes.data(), found_bytes.data(),
                      tolerance, RuleOf(array));
}

absl::StatusOr<bool> OutputCompare::Same(const DeviceMemory& a, const DeviceMemory& b) {
  if (a.size() != b.size()) return false;
  if (a.size() == 0) return true;
  if (kernels_ != nullptr) {
    // The last word holds the pattern behind the end, which is the same in both while it is intact.
    TUNE_ASSIGN_OR_RETURN(const OutputSums sums, SumUp(v1::ELEMENT_TYPE_UNSIGNED_LONG, a.address(),
                                                       b.address(), static_cast<int64_t>(a.whole_words())));
    return sums.largest == 0;
  }
  std::vector<char> bytes_of_a(a.size()), bytes_of_b(b.size());
  TUNE_RETURN_IF_ERROR(a.CopyToHost(bytes_of_a.data()));
  TUNE_RETURN_IF_ERROR(b.CopyToHost(bytes_of_b.data()));
  return bytes_of_a == bytes_of_b;
}

}  // namespace tune
