// Strided slices of arrays: along each dimension runs of elements that begin at equal distances.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// `count` runs of `width` elements each, the first of which are `first`, `first + stride`, ...; functions of
// the parameters for which there are elements. Runs that are as wide as their distance, or wider, are one.
struct SliceDimension {
  isl::pw_aff first, count, width;
  int64_t stride = 1;
};

struct StridedSlice {
  isl::set elements;  // { A }: all of them
  std::vector<SliceDimension> dimensions;
};

// A part of a loop: its values [first, end), which are parameters.
struct PartOfLoop {
  isl::set one_value;  // { : end = first + 1 }
  isl::pw_aff values;  // from the first one that the loop has to the last one
};

// The slice around `elements`, { A }, of one array with dimensions: strides are those that all elements have,
// else those that the elements of one value of the loop have, whose neighbours are those of the next value.
// `context`: what the parameters always are. Whether the slice has other elements, too, is for the caller to
// see. Nothing where some dimension has no bounds. Throws isl::exception.
std::optional<StridedSlice> SliceAround(const isl::set& elements, const PartOfLoop& part,
                                        const isl::set& context);

}  // namespace tune
