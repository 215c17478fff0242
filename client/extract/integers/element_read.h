// Elements of arrays that say how far loops of a region go, as variables of their own.
#pragma once

#include "client/extract/structures/member_read.h"

namespace tune {

// Elements such as `cells[2]` of `k < cells[2] - 1`: of arrays of integers, declared outside of the region
// with constant lengths or behind pointers, which it uses as values at constant subscripts alone, and at
// least once in the header of a loop or in a subscript. The region computes the same with variables that have
// these values before it, where it writes none of the elements. Behind a pointer there may be fewer elements
// than the region's text names: those that it reads whenever it is executed, and what lies before them, and
// with `in_loops` those in groups of their own that it reads where loops around have iterations. None of
// tables whose values the file says (constant_table.h).
MemberReads FindElementReads(const clang::ASTContext& ast, const FoundRegion& region, bool in_loops);

}  // namespace tune
