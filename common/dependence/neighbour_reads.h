// What a statement reads at many constant distances from one element.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// Fewer reads of an array in a statement stay as they are.
inline constexpr size_t kManyNeighbours = 48;

// { [S -> R] -> A }: what `reads` are together, with fewer references where a statement reads many elements
// of an array that lie at constant distances from each other: those that fill a box are one read, under the
// tag of one of them. A stencil's 729 reads are one. For relations that do not have to tell reads of a
// statement apart. Throws isl::exception.
isl::union_map WithMergedNeighbours(const isl::union_map& reads);

}  // namespace tune
