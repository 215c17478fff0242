// Pointers that a region compares with null.
#pragma once

#include "client/extract/region/region_finder.h"
#include "client/extract/structures/member_read.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Takes `p != NULL`, `p == 0`, `!p` and `if (p)` for what they are where p leads to something, of variables
// that the region neither declares nor sets; the conditions are that they do.
MemberReads FindNullTests(const clang::ASTContext& ast, const FoundRegion& region);

}  // namespace tune
