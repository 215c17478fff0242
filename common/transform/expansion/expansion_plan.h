// Which live ranges of an array get memory of their own, and along which loops.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "common/transform/expansion/live_range.h"

namespace tune {

// A new leading dimension: one copy for each iteration of a loop.
struct ExpansionDimension {
  isl::union_map index;  // { S -> [t] }, 0 <= t < extent at the parameter values
  int64_t extent = 1;
};

struct RangeExpansion {
  LiveRange range;
  int depth = 0;  // loops outside of the innermost dimension's, that one included
  std::vector<ExpansionDimension> dimensions;  // outermost loop first; none: a new array of the same shape
  std::vector<int64_t> extents;                // of the new array: dimensions, then the array's own
  int64_t bytes = 0;                           // at most INT64_MAX
};

// Along which loops there may be copies.
enum class CopiesAlong {
  kAllLoops,
  // Those whose iterations of the array's statements could run at the same time but for false dependences.
  kParallelLoops,
  // The same of all statements inside: a loop that adds something up has none for what it adds.
  kParallelNests,
};

// Which loops may get a dimension.
struct ExpansionLoops {
  int depth = std::numeric_limits<int>::max();  // none below so many outermost ones
  CopiesAlong along = CopiesAlong::kAllLoops;
};

// The live ranges of `array` to expand along `loops`.
//
// A loop gets a dimension when it carries a false dependence of the range that counts, and all values that
// flow inside the range have distance zero on it and on all loops around it. None is for an innermost loop
// whose iterations have to follow one another in each of the range's statements. A range without such a loop
// gets a new array only when some loop carries a false dependence that counts between it and a range that
// keeps the array. False dependences do not count between instances that flow dependences, one or two in a
// row, order anyway. Ranges that read undefined elements keep the array; where parallel loops alone are
// looked at, those that read values from before the region do, too, as iterations of the other loops share
// copies. `values`: the parameter set of ParameterValues, of all parameters. Throws isl::exception.
std::vector<RangeExpansion> PlanExpansion(const ParsedScop& scop, const Dependences& dependences,
                                          const std::string& array, const ExpansionLoops& loops,
                                          const isl::set& values);

}  // namespace tune
