// The scop whose sums are split where sizes, and with them the number of parts, are known when it runs: what
// programs for all sizes know of split_sums.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/transform/split_sums/part_count.h"
#include "common/transform/split_sums/part_model.h"
#include "common/transform/split_sums/sum_nest.h"

namespace tune {

// A scop with three further parameters and a further array, the last ones. Each of `parts` parts adds up
// `count` of the additions to an element, from number `first` on; these two are other numbers for each part,
// of which the scop knows what holds for all: additions are there for all numbers, `first` is a multiple of
// kPartRounding, and there are at most kMostParts parts. Whoever runs the scop tells each part, which is the
// outermost parallel loop of its kernel, its own, so that each addition is done once.
struct SymbolicSplit {
  v1::Scop scop;
  std::string first, count, parts;
  std::string sum;  // the statement that adds up parts
  // The array of partial sums, that of the sums for each part: what is in it before does not matter.
  std::string array;
  SumNest nest;  // counted at the values that were given
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  // Of the scop's other parameters, { [] -> [v] }: rows and columns of the least box around the places, and
  // additions to an element.
  isl::pw_aff rows, columns, additions;
};

// Splits the first nest of the default schedule whose additions read two elements of arrays at most; what
// else the region does stays, and the parts stand before all of it. `counted`: values of all parameters, at
// which is counted. Nothing where there is no such nest, where elements do not follow from places, where
// additions are not numbered from 0 on at all sizes, or where the parts cannot stand before all else. Errors:
// those of IslContext::Run.
absl::StatusOr<std::optional<SymbolicSplit>> SplitAtSymbols(AnalysedScop& analysed,
                                                            const std::map<std::string, int64_t>& counted);

}  // namespace tune
