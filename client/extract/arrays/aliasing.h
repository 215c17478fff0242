// Which names of a region may mean the same memory: where tuned code runs, that is checked.
#pragma once

#include <vector>

#include "client/extract/arrays/array_table.h"

namespace tune {

// What each of the arrays' objects can be reached by besides its own name; parallel to `arrays`, those
// declared inside the region included.
std::vector<v1::Array::Overlap> FindOverlap(const clang::ASTContext& ast, const ArrayTable& arrays,
                                            const RegionVariables& variables);

// Whether pointers may point to each of the region's parameters; parallel to RegionVariables::parameters.
std::vector<bool> FindParametersPointedTo(const clang::ASTContext& ast, const RegionVariables& variables);

}  // namespace tune
