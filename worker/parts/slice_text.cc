#include "worker/parts/slice_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/program/helper_names.h"
#include "worker/cases/case_call.h"
#include "worker/cases/plain_expression.h"

namespace tune {
namespace {

// Words in capitals are replaced; names that begin with `tune_` begin as the region's helpers do.
constexpr char kSliceText[] = R"(
namespace {

// Elements of an array: along each dimension `count` runs of `width` elements, which begin `stride` apart from `first` on,
// of `extent` that there are.
struct Runs {
  long long first, count, width, stride, extent;
};
struct Slice {
  int array, dimensions;
  Runs runs[kDimensions];
};

// What a part writes.
enum { kSlices = COUNT };
Slice WrittenSlice(int tune_slice, const long long *tune_sizes) {
DEFINITIONS  switch (tune_slice) {
SLICES    default:
      return {};
  }
}

// Runs that meet become one, and what is outside of the array goes; false where nothing is left.
bool Simplify(Runs *runs) {
  if (runs->count <= 0 || runs->width <= 0) return false;
  if (runs->width >= runs->stride) {
    runs->width = runs->stride * runs->count;
    runs->count = 1;
  }
  if (runs->count == 1) {
    const long long end = runs->first + runs->width;
    if (runs->first < 0) runs->first = 0;
    runs->stride = runs->width = (end < runs->extent ? end : runs->extent) - runs->first;
    return runs->width > 0;
  }
  const long long before = runs->first < 0 ? (runs->stride - 1 - runs->first) / runs->stride : 0;
  const long long space = runs->extent - runs->width - runs->first;
  const long long inside = space < 0 ? 0 : space / runs->stride + 1;
  runs->first += before * runs->stride;
  runs->count = (runs->count < inside ? runs->count : inside) - before;
  return runs->count > 0;
}

// Copies of one slice from the device; the rest of the array stays as it is.
struct SliceCopy {
  char *to;
  const char *from;
  size_t element;
  Slice slice;
  cudaStream_t stream;

  // Rows of `width` elements, `pitch` apart.
  cudaError_t Rows(size_t first, size_t rows, size_t pitch, size_t width) const {
    return cudaMemcpy2DAsync(to + first * element, pitch * element, from + first * element, pitch * element,
                             width * element, rows, cudaMemcpyDeviceToHost, stream);
  }

  // What dimensions from this one on have, in the row `before` of those before it.
  cudaError_t From(int dimension, long long before) const {
    const Runs &runs = slice.runs[dimension];
    const long long first = before * runs.extent + runs.first;
    if (dimension + 1 == slice.dimensions) return Rows(first, runs.count, runs.stride, runs.width);
    const Runs &next = slice.runs[dimension + 1];
    const bool plane = dimension + 2 == slice.dimensions && next.count == 1;
    if (plane && runs.width == 1)
      return Rows(first * next.extent + next.first, runs.count, runs.stride * next.extent, next.width);
    cudaError_t error = cudaSuccess;
    for (long long run = 0; run < runs.count && error == cudaSuccess; ++run) {
      const long long begin = first + run * runs.stride;
      if (plane) {
        error = Rows(begin * next.extent + next.first, runs.width, next.extent, next.width);
        continue;
      }
      for (long long i = begin; i < begin + runs.width && error == cudaSuccess; ++i) error = From(dimension + 1, i);
    }
    return error;
  }
};

cudaError_t CopyBack(void *to, const void *from, Slice slice, cudaStream_t stream) {
  for (int i = 0; i < slice.dimensions; ++i)
    if (!Simplify(&slice.runs[i])) return cudaSuccess;
  return SliceCopy{(char *)to, (const char *)from, kElement[slice.array], slice, stream}.From(0, 0);
}

}  // namespace
)";

int NumberOf(const std::string& array, const v1::Scop& scop) {
  int number = 0;
  while (scop.arrays(number).name() != array) ++number;
  return number;
}

std::string CaseOf(const PartSlice& slice, int number, const ParametricRegion& region) {
  const int array = NumberOf(slice.array, region.scop);
  std::vector<std::string> runs;
  for (size_t d = 0; d < slice.dimensions.size(); ++d) {
    const PartSlice::Dimension& dimension = slice.dimensions[d];
    std::string count = PlainText(dimension.count);
    if (d == 0 && !slice.any.IsConstant())
      count = absl::StrCat("(", PlainText(slice.any), ") ? ", count, " : 0");
    runs.push_back(absl::StrCat("{", PlainText(dimension.first), ", ", count, ", ",
                                PlainText(dimension.width), ", ", dimension.stride, ", ",
                                ExtentName(region.names, array, static_cast<int>(d)), "}"));
  }
  return absl::StrCat("    case ", number, ":\n      return {", array, ", ", runs.size(), ", {",
                      absl::StrJoin(runs, ", "), "}};\n");
}

}  // namespace

std::string SliceText(const ParametricRegion& region, const std::vector<PartSlice>& slices) {
  std::string cases;
  for (size_t i = 0; i < slices.size(); ++i) cases += CaseOf(slices[i], static_cast<int>(i), region);
  return absl::StrReplaceAll(WithHelperPrefix(kSliceText, region.names),
                             {{"COUNT", absl::StrCat(slices.size())},
                              {"DEFINITIONS", SizeDefinitions(region, SizeChoice::kAll)},
                              {"SLICES", cases}});
}

}  // namespace tune
