// Elements that a pointer into a row of an array leads to, which may be in other rows.
#pragma once

#include <vector>

#include "client/extract/pointers/flat_offset.h"
#include "client/extract/region/region.h"

namespace tune {

// The subscripts of the element that lies `offset` behind the row of `array` that `subscripts`, outermost
// first, lead to. Each but the first stays inside of the array's declared extents, as rows lie one behind the
// other; for bounds on the parameters that this needs see FlatSubscripts. Refused where an extent is not
// known. `reached`: of the iterators, where the element is accessed; `use`: where it is.
Accepted<std::vector<isl::pw_aff>> PlaceFromRow(Region& region, const LoopNest& nest, const isl::set& reached,
                                                const clang::VarDecl& array,
                                                std::vector<isl::pw_aff> subscripts, FlatOffset offset,
                                                clang::SourceRange use);

}  // namespace tune
