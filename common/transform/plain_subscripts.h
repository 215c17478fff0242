// Accesses whose subscripts are iterators.
#pragma once

#include <optional>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// { S -> A } as one affine function; nothing where it is none. Throws isl::exception.
std::optional<isl::multi_aff> AffineElement(const isl::map& relation);

// For each dimension of the array the dimension of S that is the subscript, nothing for other subscripts.
// `relation`: { S -> A }. Throws isl::exception.
std::vector<std::optional<int>> PlainSubscripts(const isl::map& relation);

// Dimensions of S that the element depends on; nothing where it is not affine. Throws isl::exception.
std::optional<std::vector<int>> SubscriptIterators(const isl::map& relation);

}  // namespace tune
