// Pointers to pointers to rows: double **a, double *a[N].
#pragma once

#include <clang/AST/Type.h>

#include <string>
#include <vector>

#include "client/extract/region_finder.h"

namespace clang {
class ASTContext;
class VarDecl;
}  // namespace clang

namespace tune {

// A table of pointers to rows of numbers.
struct RowTable {
  const clang::VarDecl* variable;  // declared outside of the region
  std::string element;             // C type of the rows' elements, qualifiers included: "const double"
};

// Those that the region uses for nothing but to read the pointers to rows, in order of their first use: it
// computes the same with an array in two dimensions, where the rows are that of one.
std::vector<RowTable> FindRowTables(const clang::ASTContext& ast, const FoundRegion& region);

}  // namespace tune
