#include "common/program/thread_names.h"

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

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

}  // namespace tune
