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

double Tolerance(v1::ElementType type, const OutputTolerance& tolerance) {
  if (type == v1::ELEMENT_TYPE_FLOAT) return tolerance.float_relative;
  if (type == v1::ELEMENT_TYPE_DOUBLE) return tolerance.double_relative;
  return 0;
}

// The definitions of worker/run/output_check.h, from sums. Nullopt: the sums do not tell.
std::optional<v1::ArrayError> FromSums(absl::string_view name, double difference_square,
                                       double expected_square, double largest, double tolerance) {
  v1::ArrayError error;
  error.set_array(std::string(name));
  if (largest == 0) return error;
  if (!std::isfinite(difference_square) || !std::isfinite(expected_square)) return std::nullopt;
  if (expected_square < kSmallestSum || difference_square < kSmallestSum) return std::nullopt;
  const double relative = std::sqrt(difference_square) / std::sqrt(expected_square);
  if (!(relative <= tolerance)) return std::nullopt;
  error.set_largest(largest);
  error.set_relative_l2(relative);
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

absl::StatusOr<OutputCompare::Sums> OutputCompare::SumUp(v1::ElementType type, CUdeviceptr expected,
                                                         CUdeviceptr found, int64_t count) {
  const int64_t wanted = (count + UtilityKernels::kCompareThreads - 1) / UtilityKernels::kCompareThreads;
  const int blocks = static_cast<int>(std::clamp<int64_t>(wanted, 1, kBlocks));
  TUNE_RETURN_IF_ERROR(kernels_->Compare(type, expected, found, count, partial_->address(), blocks));
  std::vector<double> partial(kBlocks * UtilityKernels::kCompareSums);
  TUNE_RETURN_IF_ERROR(partial_->CopyToHost(partial.data()));
  Sums sums;
  for (int block = 0; block < blocks; ++block) {
    const double* of_block = &partial[block * UtilityKernels::kCompareSums];
    sums.difference_square += of_block[0];
    sums.expected_square += of_block[1];
    sums.largest = std::max(sums.largest, of_block[2]);
  }
  return sums;
}

absl::StatusOr<v1::ArrayError> OutputCompare::Compare(const v1::RunnerArray& array,
                                                      const DeviceMemory& expected, const DeviceMemory& found,
                                                      const OutputTolerance& tolerance) {
  const v1::ElementType type = array.element_type();
  const int64_t count = static_cast<int64_t>(expected.size() / ElementSize(type));
  if (kernels_ != nullptr && count > 0) {
    TUNE_ASSIGN_OR_RETURN(const Sums sums, SumUp(type, expected.address(), found.address(), count));
    const std::optional<v1::ArrayError> error = FromSums(
        array.name(), sums.difference_square, sums.expected_square, sums.largest, Tolerance(type, tolerance));
    if (error.has_value()) return *error;
  }
  std::vector<char> expected_bytes(expected.size()), found_bytes(found.size());
  TUNE_RETURN_IF_ERROR(expected.CopyToHost(expected_bytes.data()));
  TUNE_RETURN_IF_ERROR(found.CopyToHost(found_bytes.data()));
  return CompareArray(array.name(), type, Extents(array), expected_bytes.data(), found_bytes.data(),
                      tolerance);
}

absl::StatusOr<bool> OutputCompare::Same(const DeviceMemory& a, const DeviceMemory& b) {
  if (a.size() != b.size()) return false;
  if (a.size() == 0) return true;
  if (kernels_ != nullptr) {
    // The last word holds the pattern behind the end, which is the same in both while it is intact.
    TUNE_ASSIGN_OR_RETURN(const Sums sums, SumUp(v1::ELEMENT_TYPE_UNSIGNED_LONG, a.address(), b.address(),
                                                 static_cast<int64_t>(a.whole_words())));
    return sums.largest == 0;
  }
  std::vector<char> bytes_of_a(a.size()), bytes_of_b(b.size());
  TUNE_RETURN_IF_ERROR(a.CopyToHost(bytes_of_a.data()));
  TUNE_RETURN_IF_ERROR(b.CopyToHost(bytes_of_b.data()));
  return bytes_of_a == bytes_of_b;
}

}  // namespace tune
