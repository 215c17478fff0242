#include "common/program/thread_names.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/program/warp_product.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

constexpr const char* kAxes[] = {".x", ".y", ".z"};

}  // namespace

IndexExpression ThreadIndex(const HelperNames& names, const DeviceKernel& kernel, int axis) {
  return IndexExpression::Name(
      absl::StrCat(kernel.is_function ? names.thread_index : "threadIdx", kAxes[axis]));
}

IndexExpression BlockIndex(const HelperNames& names, const DeviceKernel& kernel, int axis) {
  return IndexExpression::Name(
      absl::StrCat(kernel.is_function ? names.block_index : "blockIdx", kAxes[axis]));
}

IndexExpression GridSize(int axis) { return IndexExpression::Name(absl::StrCat("gridDim", kAxes[axis])); }

IndexExpression ThreadNumber(const HelperNames& names, const DeviceKernel& kernel) {
  IndexExpression number = ThreadIndex(names, kernel, 0);
  int64_t stride = 1;
  for (size_t axis = 1; axis < kernel.axes.size(); ++axis) {
    stride *= kernel.threads[axis - 1];
    number = std::move(number) +
             IndexExpression::Constant(stride) * ThreadIndex(names, kernel, static_cast<int>(axis));
  }
  return number;
}

IndexExpression ThreadCoordinate(const HelperNames& names, const DeviceKernel& kernel, int axis) {
  if (!HasWarpProducts(kernel) || axis > 1) return ThreadIndex(names, kernel, axis);
  const auto number = [&](Op op, int64_t divisor) {
    return IndexExpression::Of(op, {ThreadNumber(names, kernel), IndexExpression::Constant(divisor)});
  };
  const auto by = [](Op op, IndexExpression value, int64_t divisor) {
    return IndexExpression::Of(op, {std::move(value), IndexExpression::Constant(divisor)});
  };
  constexpr int64_t kThreads = kWarpColumns * kWarpRows;
  if (axis == 0) {
    return IndexExpression::Constant(kWarpColumns) *
               by(Op::kRemainder, number(Op::kQuotient, kThreads), kernel.threads[0] / kWarpColumns) +
           number(Op::kRemainder, kWarpColumns);
  }
  // As many warps lie side by side as the block has threads along x.
  IndexExpression row = number(Op::kQuotient, kWarpRows * kernel.threads[0]);
  if (kernel.axes.size() > 2) row = by(Op::kRemainder, std::move(row), kernel.threads[1] / kWarpRows);
  return IndexExpression::Constant(kWarpRows) * std::move(row) +
         by(Op::kQuotient, number(Op::kRemainder, kThreads), kWarpColumns);
}

}  // namespace tune
