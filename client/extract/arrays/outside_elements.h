// Elements that a region accesses outside of an array.
#pragma once

#include <optional>

#include "client/extract/arrays/array_table.h"
#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

// Of the elements, [params] -> { A[a, ...] }, those whose subscript in dimension `d` is negative or not less
// than `extent`, [params] -> { [n] }, where there are some at all values of the parameters that `elements`
// has elements at: on one side of the array alone, if that is enough. Else empty.
isl::set CertainlyOutside(const isl::set& elements, int d, const isl::pw_aff& extent);

// A refusal of an access of the array that is outside of it in all calls that the region's context allows,
// and that no condition on data prevents. `array`: the description of `entry`.
std::optional<Refusal> RefuseOutside(Region& region, const ArrayTable::Entry& entry, const v1::Array& array);

}  // namespace tune
