// The scop whose sums are split.
#pragma once

#include <optional>
#include <vector>

#include "common/transform/split_sums/part_count.h"
#include "common/transform/split_sums/sum_nest.h"

namespace tune {

struct SplitNest {
  SumNest nest;
  SumParts parts;
};

// `scop` with, in place of each of the nests, of different kernels of `schedule`, two: one that adds up the
// parts of each sum in arrays of their own, one for each term that has parts, for all parts and places at the
// same time; and one that does what comes before the sum, adds the parts, and does what comes after it. In
// the order in which it is to run, which is checked against the dependences of an order in which each place
// has its parts one after another: parts stand before all else where that is right, so that those of several
// nests can run at the same time, else where the nest stood. Nothing where elements do not follow from
// places, or the arrays take more than `most_bytes`. `values`: of the parameters. Errors: those of
// IslContext::Run; FAILED_PRECONDITION where the order is not right, as where what is added depends on what
// comes before the sum.
absl::StatusOr<std::optional<v1::Scop>> SplitScop(IslContext& context, const ParsedScop& scop,
                                                  const isl::schedule& schedule,
                                                  const std::vector<SplitNest>& nests, const isl::set& values,
                                                  int64_t most_bytes);

}  // namespace tune
