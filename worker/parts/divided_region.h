// A region whose outermost loop is cut into parts, which may run at the same time, each elsewhere.
#pragma once

#include <string>

#include "common/base/status.h"
#include "common/program/index_expression.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// A part is what runs at the values [first, end) of the outermost loop; a loop that counts down has negated
// values. Of several loops one after the other it is that of each of them.
struct DividedRegion {
  // The instances of one part. Its last two parameters, `first` and `end`, have no names in the program.
  v1::Scop part;
  std::string first, end;
  // The values that the loop has in the region are among [lowest, highest], of the region's parameters.
  IndexExpression lowest, highest;
};

// INVALID_ARGUMENT, with why and what to do, where the region has no outermost parallel loop: a statement
// stands outside of loops; iterations use what others write, or write what others do; a variable of the
// program is written. Errors of ParseScop and of isl.
absl::StatusOr<DividedRegion> DivideRegion(const v1::Scop& scop);

}  // namespace tune
