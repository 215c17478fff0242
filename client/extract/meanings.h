// What the words of a region's text stand for.
#pragma once

#include <vector>

#include "client/extract/macro_record.h"
#include "client/extract/region_finder.h"

namespace clang {
class RecordDecl;
}

namespace tune {

// Everything outside of the region that decides what its text says, besides the arrays and parameters: the
// record's macros and tested names that stand in the region, names of types, constants. Each once, in order
// of first use; macros first. `called`: the functions whose bodies belong to the region; `structures`: those
// whose members its variables are.
std::vector<v1::Meaning> FindMeanings(const clang::ASTContext& ast, const FoundRegion& found,
                                      const std::vector<const clang::FunctionDecl*>& called,
                                      const std::vector<const clang::RecordDecl*>& structures,
                                      const std::vector<PlacedMeaning>& macros);

}  // namespace tune
