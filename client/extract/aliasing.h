// Whether two names of a region may mean the same memory.
#pragma once

#include <vector>

#include "client/extract/array_table.h"
#include "client/extract/diagnostic.h"

namespace clang {
class FunctionDecl;
}

namespace tune {

// Refuses each plain pointer `T *p` that may point into another object of its type of which one is written.
// Excluded are: pointers with `restrict`; pointers that are set once in the function, by malloc or its like;
// two arrays (parameters of array type are taken at their word); scalars whose address is never taken.
std::vector<Refusal> CheckAliasing(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                                   const ArrayTable& arrays);

// What each of the arrays' objects can be reached by besides its own name; parallel to `arrays`, those
// declared inside the region included.
std::vector<v1::Array::Overlap> FindOverlap(const clang::ASTContext& ast, const ArrayTable& arrays,
                                            const RegionVariables& variables);

}  // namespace tune
