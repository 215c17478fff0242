// Values that a region leaves behind besides its arrays.
#pragma once

#include <set>
#include <vector>

#include "client/extract/region/region_finder.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/source/diagnostic.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/values_behind.h"

namespace tune {

// The tuned code keeps neither the final values of iterators nor the region's declarations: nobody may read
// them. Local iterators that are set anew first, as by the header of another loop, are fine.
std::vector<Refusal> CheckEscapingValues(const ValuesBehind& behind, const FoundRegion& region,
                                         const RegionVariables& variables);

// Those of the pointers, which the region sets, that the rest of the function, or the region when it is
// executed again, may read before they are set.
std::set<const clang::VarDecl*> PointersReadBehind(const ValuesBehind& behind, const FoundRegion& region,
                                                   const std::set<const clang::VarDecl*>& pointers);

enum class FirstUse { kNone, kSet, kRead };
// Whether the statements have the declaration.
bool IsDeclaredIn(const Statements& statements, const clang::VarDecl* variable);
// What statements do first to a pointer. kNone: they do not name it, or set it in a loop that may have no
// iterations; kRead: they may read it.
FirstUse FirstUseOf(const clang::VarDecl* pointer, const Statements& statements);

}  // namespace tune
