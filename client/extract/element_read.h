// Elements of arrays that say how far loops of a region go, as variables of their own.
#pragma once

#include "client/extract/member_read.h"

namespace tune {

// Elements such as `cells[2]` of `k < cells[2] - 1`: of arrays of integers, declared outside of the region
// with constant lengths, which it uses as values at constant subscripts alone, and at least once in the
// header of a loop or in a subscript. The region computes the same with variables that have these values
// before it, where it writes none of the elements. None of arrays behind pointers, which may have fewer
// elements than the region's text names, and of tables whose values the file says (constant_table.h).
MemberReads FindElementReads(const clang::ASTContext& ast, const FoundRegion& region);

}  // namespace tune
