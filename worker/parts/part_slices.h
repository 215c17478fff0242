// What parts of a region bring back of the arrays that they write.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/program/index_expression.h"
#include "tune/v1/scop.pb.h"
#include "worker/parts/divided_region.h"

namespace tune {

// A slice of one array as the file computes it (strided_slice.h), of the part's parameters. There are
// elements only where `any` holds.
struct PartSlice {
  struct Dimension {
    IndexExpression first, count, width;
    int64_t stride;
  };
  std::string array;
  IndexExpression any;
  std::vector<Dimension> dimensions;
};

// Slices that have all that a part writes and no element that other parts of `scop` write: one or several of
// each array, exactly what is written where that is some slices, else with elements that no part writes.
// `part`: the scop of the region's ParametricRegion, whose boxes that are copied in have all of the slices.
// INVALID_ARGUMENT names an array that has no such slices. Errors of ParseScop and of isl.
absl::StatusOr<std::vector<PartSlice>> SlicesOfPart(const v1::Scop& scop, const DividedRegion& divided,
                                                    const v1::Scop& part);

}  // namespace tune
