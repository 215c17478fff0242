// Statements of partial sums.
#pragma once

#include <string>

#include "common/scop/scop.h"
#include "common/transform/split_sums/common_factor.h"

namespace tune {

// What follows throws isl::exception.

// factor * value, of `totals`, which gets the factor's accesses behind its others. The factor's accesses are
// those of `sum`.
v1::Expression TimesFactor(const CommonFactor& factor, const ParsedStatement& sum,
                           const v1::Expression& value, v1::Statement* totals);

// { D -> [i] }: a dimension of the instances.
isl::pw_aff IteratorOf(const isl::set& instances, int position);

}  // namespace tune
