// What the words of a region's text stand for.
#pragma once

#include <set>
#include <vector>

#include "client/extract/region/region_finder.h"
#include "client/extract/source/macro_record.h"

namespace clang {
class NamedDecl;
class RecordDecl;
}  // namespace clang

namespace tune {

// Everything outside of the region that decides what its text says, besides the arrays and parameters: the
// record's macros and tested names that stand in the region, names of types, constants. Each once, in order
// of first use; macros first. `called`: the functions whose bodies belong to the region; `structures`: those
// whose members its variables are; `opened`: private names that are left out where the region's function may
// not name them, as lines before the region look at them.
std::vector<v1::Meaning> FindMeanings(const clang::ASTContext& ast, const FoundRegion& found,
                                      const std::vector<const clang::FunctionDecl*>& called,
                                      const std::vector<const clang::RecordDecl*>& structures,
                                      const std::vector<PlacedMeaning>& macros,
                                      const std::set<const clang::NamedDecl*>& opened);

}  // namespace tune
